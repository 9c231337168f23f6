import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiDeleteBinLine, RiPlayLine, RiStopLine } from '@remixicon/react';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { OpenIdeLink } from '../../components/OpenIdeLink';
import { useReportedActions } from '../../components/useReportedActions';
import { useWorkspacePermissions } from '../../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../../translation';
import styles from './WorkspacePage.module.css';

/** What can be done with a workspace now, the main action first. */
export function WorkspaceHeaderActions(props: {
  workspace: WorkspaceDetails;
  onDelete: () => void;
}) {
  const { workspace, onDelete } = props;
  const { status } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate, mayDelete } = useWorkspacePermissions();
  return (
    <div className={styles.actions}>
      {mayUpdate && (status === 'Running' || status === 'Starting') && (
        <OpenIdeLink workspace={workspace} variant="primary" />
      )}
      {mayUpdate && status === 'Stopped' && (
        <Button
          variant="primary"
          iconStart={<RiPlayLine aria-hidden />}
          isPending={actions.isPending}
          onPress={actions.start}
        >
          {workspace.failed ? t('action.retry') : t('action.start')}
        </Button>
      )}
      {mayUpdate && (status === 'Running' || status === 'Starting') && (
        <Button
          variant="secondary"
          iconStart={<RiStopLine aria-hidden />}
          isPending={actions.isPending}
          onPress={actions.stop}
        >
          {t('action.stop')}
        </Button>
      )}
      {mayDelete && (
        <Button
          variant="secondary"
          iconStart={<RiDeleteBinLine aria-hidden />}
          onPress={onDelete}
        >
          {t('action.delete')}
        </Button>
      )}
    </div>
  );
}
