import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../translation';

/** Why the last start failed. The button for the next try belongs to the page. */
export function StartFailure({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={t('workspace.startFailed', { name: workspace.name })}
        description={
          workspace.statusMessage ?? t('workspace.startFailedUnknown')
        }
      />
    </div>
  );
}
