import {
  ApiBlueprint,
  PageBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { EntityCardBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';
import { RiTerminalBoxLine } from '@remixicon/react';
import { ideLauncherApiRef } from './api/IdeLauncherApi';
import { IdeLauncherClient } from './api/IdeLauncherClient';
import {
  createWorkspaceQueryClient,
  workspaceQueryClientApiRef,
} from './api/queryClientApi';
import { hasDevfile } from './entity/resolveDevfileUrl';
import { openRouteRef, rootRouteRef, workspaceRouteRef } from './routes';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: ideLauncherApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new IdeLauncherClient(deps),
    }),
});

const queryClientApi = ApiBlueprint.make({
  name: 'query-client',
  params: define =>
    define({
      api: workspaceQueryClientApiRef,
      deps: {},
      factory: () => createWorkspaceQueryClient(),
    }),
});

const page = PageBlueprint.make({
  params: {
    path: '/workspaces',
    title: 'Workspaces',
    icon: <RiTerminalBoxLine />,
    routeRef: rootRouteRef,
    noHeader: true,
    loader: () =>
      import('./pages/WorkspaceRoutes').then(m => <m.WorkspaceRoutes />),
  },
});

const entityCard = EntityCardBlueprint.make({
  name: 'workspaces',
  params: {
    type: 'info',
    filter: hasDevfile,
    loader: () =>
      import('./entity/EntityWorkspacesCard').then(m => (
        <m.EntityWorkspacesCard />
      )),
  },
});

const homeCard = HomePageWidgetBlueprint.make({
  name: 'my-workspaces',
  params: {
    name: 'MyWorkspaces',
    title: 'My workspaces',
    description: 'Your most recent workspaces, with their state',
    components: () =>
      import('./home/MyWorkspaces').then(m => ({ Content: m.MyWorkspaces })),
  },
});

/** Pages and cards of IDE workspaces. */
export default createFrontendPlugin({
  pluginId: 'ide-launcher',
  title: 'Workspaces',
  icon: <RiTerminalBoxLine />,
  routes: {
    root: rootRouteRef,
    workspace: workspaceRouteRef,
    open: openRouteRef,
  },
  extensions: [clientApi, queryClientApi, page, entityCard, homeCard],
});
