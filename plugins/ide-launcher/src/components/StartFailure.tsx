import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button } from '@backstage/ui';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { useReportedActions } from './useReportedActions';
import { useWorkspacePermissions } from '../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../translation';

/** Why the last start failed, with the next try beside it. */
export function StartFailure({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate } = useWorkspacePermissions();
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={t('workspace.startFailed', { name: workspace.name })}
        description={
          workspace.statusMessage ?? t('workspace.startFailedUnknown')
        }
        customActions={
          mayUpdate &&
          workspace.status === 'Stopped' && (
            <Button
              size="small"
              variant="secondary"
              isPending={actions.isPending}
              onPress={actions.start}
            >
              {t('action.retry')}
            </Button>
          )
        }
      />
    </div>
  );
}
