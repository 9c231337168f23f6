import {
  useApiHolder,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  entityRouteRef,
  useEntity,
} from '@backstage/plugin-catalog-react';
import { Flex } from '@backstage/ui';
import { Loaded, useListOfComponents } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import {
  devfileUrlOf,
  type WorkspaceListItem,
} from '@slipway/plugin-ide-launcher-common';
import { mostRecentFirst } from '../components/WorkspaceState';
import { WorkspaceTable } from '../pages/WorkspacesPage/WorkspaceTable';
import { useWorkspaceList } from '../queries';
import { ideLauncherTranslationRef } from '../translation';
import {
  OpenWorkspaceButton,
  workspacesOfDevfile,
} from './EntityWorkspacesCard';

/**
 * A tab with the user's workspaces of a component, or of all components of a system or group.
 */
export function EntityWorkspaces() {
  const { entity } = useEntity();
  return entity.kind === 'Component' ? (
    <WorkspacesOfComponent />
  ) : (
    <WorkspacesOfComponents />
  );
}

function WorkspacesOfComponents() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { entity } = useEntity();
  const workspaces = useWorkspaceList();
  const { components, list } = useListOfComponents<WorkspaceListItem>(entity, {
    catalog: useApiHolder().get(catalogApiRef),
    belongs: ({ devfileUrl }, { metadata }) =>
      devfileUrlOf(metadata.annotations) === devfileUrl,
    pathOf: useRouteRef(entityRouteRef),
  });
  return (
    <Loaded
      query={components.data ? workspaces : { ...components, data: undefined }}
      failed={t('list.failedTitle')}
      loading={<LoadingRows label={t('list.loading')} rows={3} />}
    >
      {data => {
        const own = mostRecentFirst(data.workspaces.filter(list.includes));
        return own.length === 0 ? (
          <EmptyState
            title={t('list.emptyTitle')}
            description={t('card.noneOfComponents')}
          />
        ) : (
          <Flex direction="column" gap="4">
            <WorkspaceTable workspaces={own} component={list.column} />
          </Flex>
        );
      }}
    </Loaded>
  );
}

function WorkspacesOfComponent() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { entity } = useEntity();
  const devfileUrl = devfileUrlOf(entity.metadata.annotations) ?? '';
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
