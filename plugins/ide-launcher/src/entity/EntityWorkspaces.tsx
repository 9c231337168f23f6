import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Loaded } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { WorkspaceTable } from '../pages/WorkspacesPage/WorkspaceTable';
import { useWorkspaceList } from '../queries';
import { ideLauncherTranslationRef } from '../translation';
import { workspacesOfDevfile } from '../workspaces';
import { OpenWorkspaceButton } from './EntityWorkspacesCard';
import { resolveDevfileUrl } from './resolveDevfileUrl';

/** A component's tab with the user's workspaces of it. */
export function EntityWorkspaces() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { entity } = useEntity();
  const devfileUrl = resolveDevfileUrl(entity) ?? '';
  return (
    <Loaded
      query={useWorkspaceList()}
      failed={t('list.failedTitle')}
      loading={<LoadingRows label={t('list.loading')} rows={3} />}
    >
      {({ workspaces }) => {
        const own = workspacesOfDevfile(workspaces, devfileUrl);
        return own.length === 0 ? (
          <EmptyState
            title={t('list.emptyTitle')}
            description={t('card.none')}
            action={
              <OpenWorkspaceButton
                devfileUrl={devfileUrl}
                reusable={undefined}
              />
            }
          />
        ) : (
          <WorkspaceTable workspaces={own} />
        );
      }}
    </Loaded>
  );
}
