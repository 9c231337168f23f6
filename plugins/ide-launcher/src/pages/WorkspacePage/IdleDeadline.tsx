import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Text } from '@backstage/ui';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { clockTime, fullTime } from '../../components/clockTime';
import { useReportedActions } from '../../components/useReportedActions';
import { useWorkspacePermissions } from '../../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../../translation';
import styles from './WorkspacePage.module.css';

/** When a running workspace stops by itself, with the button that puts it off. */
export function IdleDeadline({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate } = useWorkspacePermissions();
  const { stopsAt, status, statusMessage, failed, name } = workspace;
  if (status !== 'Running') {
    // A failure has a panel of its own.
    return statusMessage && !failed ? (
      <Text as="p" color="secondary">
        {statusMessage}
      </Text>
    ) : null;
  }
  if (!stopsAt) {
    return (
      <Text as="p" color="secondary">
        {t('workspace.neverStops')}
      </Text>
    );
  }
  return (
    <div className={styles.deadline}>
      <Text as="p" color="secondary">
        <time dateTime={stopsAt} title={fullTime(stopsAt)}>
          {t('workspace.stopsAt', { time: clockTime(stopsAt) })}
        </time>
      </Text>
      {mayUpdate && (
        <Button
          size="small"
          variant="secondary"
          isPending={actions.isPending}
          onPress={actions.extend}
          aria-label={t('action.extendNamed', { name })}
        >
          {t('action.extend')}
        </Button>
      )}
    </div>
  );
}
