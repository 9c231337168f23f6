import {
  createFrontendPlugin,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';
import { RiTerminalBoxLine } from '@remixicon/react';
import {
  clientOfService,
  detailPage,
  EntityPartBlueprint,
  PaletteSourceBlueprint,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { hasDevfile } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherApiRef } from './api/IdeLauncherApi';
import { IdeLauncherClient } from './api/IdeLauncherClient';
import { openRouteRef, rootRouteRef, workspaceRouteRef } from './routes';

const client = clientOfService(
  ideLauncherApiRef,
  deps => new IdeLauncherClient(deps),
);

const pages = wrapperOfPages(() =>
  import(/* webpackMode: "eager" */ './queries').then(m => m.servicePages),
);

const page = pageWithTabs({
  path: '/workspaces',
  title: 'Workspaces',
  icon: <RiTerminalBoxLine />,
  routeRef: rootRouteRef,
  frame: () =>
    import('./pages/WorkspacesPage/WorkspacesPage').then(
      m => m.WorkspacesFrame,
    ),
});

const list = SubPageBlueprint.make({
  name: 'list',
  params: {
    path: '',
    title: 'Workspaces',
    loader: () =>
      import('./pages/WorkspacesPage/WorkspacesPage').then(m => (
        <m.WorkspacesPage />
      )),
  },
});

const workspace = SubPageBlueprint.make({
  name: 'workspace',
  attachTo: detailPage,
  params: {
    path: ':workspaceId',
    title: 'Workspace',
    routeRef: workspaceRouteRef,
    loader: () =>
      import('./pages/WorkspacePage/WorkspacePage').then(m => (
        <m.WorkspacePage />
      )),
  },
});

const open = SubPageBlueprint.make({
  name: 'open',
  attachTo: detailPage,
  params: {
    path: ':workspaceId/open',
    title: 'Open workspace',
    routeRef: openRouteRef,
    loader: () => import('./pages/OpenPage/OpenPage').then(m => <m.OpenPage />),
  },
});

const entityCard = EntityCardBlueprint.make({
  name: 'workspaces',
  params: {
    type: 'info',
    filter: ({ metadata }) => hasDevfile(metadata.annotations),
    loader: () =>
      import('./entity/EntityWorkspacesCard').then(m => (
        <m.EntityWorkspacesCard />
      )),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'workspaces',
  params: {
    path: '/workspaces',
    title: 'Workspaces',
    filter: ({ kind, metadata }) =>
      hasDevfile(metadata.annotations) || ['System', 'Group'].includes(kind),
    loader: () =>
      import('./entity/EntityWorkspaces').then(({ EntityWorkspaces }) => (
        <EntityWorkspaces />
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
      import(/* webpackChunkName: "home" */ './home/MyWorkspaces').then(m => ({
        Content: m.MyWorkspaces,
      })),
  },
});

const entityPart = EntityPartBlueprint.make({
  params: {
    title: 'Workspaces',
    icon: RiTerminalBoxLine,
    pluginId: 'ide-launcher',
    path: '',
    order: 40,
    kinds: ['workspace'],
  },
});

const palette = PaletteSourceBlueprint.make({
  params: {
    title: 'Workspaces',
    icon: <RiTerminalBoxLine />,
    order: 40,
    loader: () => import('./palette').then(m => m.workspacesPalette),
    dialogs: {
      create: () =>
        import('./create/CreateWorkspaceDialog').then(
          m => m.CreateWorkspaceFromPalette,
        ),
    },
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
  extensions: [
    client,
    pages,
    page,
    list,
    workspace,
    open,
    entityCard,
    entityContent,
    homeCard,
    entityPart,
    palette,
  ],
});
