import {
  createFrontendPlugin,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { RiFlagLine } from '@remixicon/react';
import {
  clientOfService,
  detailPage,
  EntityPartBlueprint,
  PaletteSourceBlueprint,
  PortalFlags,
  portalFlagsApiRef,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { flagsApiRef } from './api/FlagsApi';
import { connectFlagsApi } from './api/connectFlagsApi';
import {
  accessRouteRef,
  changesRouteRef,
  flagRouteRef,
  playgroundRouteRef,
  rootRouteRef,
} from './routes';

const client = clientOfService(flagsApiRef, connectFlagsApi);

/** The flags of the portal, for the pages of all plugins: see `useFlag`. */
const portalFlags = clientOfService(
  portalFlagsApiRef,
  deps => new PortalFlags(deps),
  'portal-flags',
);

const pages = wrapperOfPages(() =>
  import(/* webpackMode: "eager" */ './queries/flags').then(
    m => m.servicePages,
  ),
);

const page = pageWithTabs({
  path: '/flags',
  title: 'Flags',
  icon: <RiFlagLine />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/FlagsFrame').then(m => m.FlagsFrame),
});

const list = SubPageBlueprint.make({
  name: 'list',
  params: {
    path: '',
    title: 'Flags',
    loader: () => import('./pages/ListPage').then(m => <m.ListPage />),
  },
});

const segments = SubPageBlueprint.make({
  name: 'segments',
  params: {
    path: 'segments',
    title: 'Segments',
    loader: () => import('./pages/SegmentsPage').then(m => <m.SegmentsPage />),
  },
});

const playground = SubPageBlueprint.make({
  name: 'playground',
  params: {
    path: 'playground',
    title: 'Playground',
    routeRef: playgroundRouteRef,
    loader: () =>
      import('./pages/Playground/PlaygroundPage').then(m => (
        <m.PlaygroundPage />
      )),
  },
});

const changes = SubPageBlueprint.make({
  name: 'changes',
  params: {
    path: 'changes',
    title: 'Changes',
    routeRef: changesRouteRef,
    loader: () => import('./pages/ChangesPage').then(m => <m.ChangesPage />),
  },
});

const environments = SubPageBlueprint.make({
  name: 'environments',
  params: {
    path: 'environments',
    title: 'Environments',
    loader: () =>
      import('./pages/EnvironmentsPage').then(m => <m.EnvironmentsPage />),
  },
});

const projects = SubPageBlueprint.make({
  name: 'projects',
  params: {
    path: 'projects',
    title: 'Projects',
    loader: () => import('./pages/ProjectsPage').then(m => <m.ProjectsPage />),
  },
});

const applications = SubPageBlueprint.make({
  name: 'applications',
  params: {
    path: 'applications',
    title: 'Applications',
    loader: () =>
      import('./pages/ApplicationsPage').then(m => <m.ApplicationsPage />),
  },
});

const access = SubPageBlueprint.make({
  name: 'access',
  params: {
    path: 'api-access',
    title: 'API access',
    routeRef: accessRouteRef,
    loader: () => import('./pages/AccessPage').then(m => <m.AccessPage />),
  },
});

const cleanUp = SubPageBlueprint.make({
  name: 'clean-up',
  params: {
    path: 'clean-up',
    title: 'Clean-up',
    loader: () =>
      import('./pages/CleanUp/CleanUpPage').then(m => <m.CleanUpPage />),
  },
});

const notices = SubPageBlueprint.make({
  name: 'notices',
  params: {
    path: 'notices',
    title: 'Notices',
    loader: () =>
      import('./pages/Notices/NoticesPage').then(m => <m.NoticesPage />),
  },
});

const flag = SubPageBlueprint.make({
  name: 'flag',
  attachTo: detailPage,
  params: {
    path: 'flag/:name',
    title: 'Flag',
    routeRef: flagRouteRef,
    loader: () => import('./pages/Flag/FlagPage').then(m => <m.FlagPage />),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'flags',
  params: {
    path: '/flags',
    title: 'Flags',
    filter: {
      $any: [
        {
          kind: 'component',
          'metadata.annotations.slipway.dev/flags': { $exists: true },
        },
        { kind: { $in: ['system', 'group'] } },
      ],
    },
    loader: () =>
      import('./entity/EntityFlags').then(({ EntityFlags }) => <EntityFlags />),
  },
});

const entityPart = EntityPartBlueprint.make({
  params: {
    title: 'Flags',
    icon: RiFlagLine,
    path: '/feature-flags/api/v1',
    order: 30,
    kinds: ['flag'],
  },
});

const palette = PaletteSourceBlueprint.make({
  params: {
    title: 'Flags',
    icon: <RiFlagLine />,
    order: 60,
    loader: () => import('./palette').then(m => m.flagsPalette),
    dialogs: {
      create: () =>
        import('./pages/CreateFlagDialog').then(m => m.CreateFlagDialog),
    },
  },
});

/** Pages and actions of feature flags. */
export default createFrontendPlugin({
  pluginId: 'feature-flags',
  title: 'Flags',
  icon: <RiFlagLine />,
  routes: {
    root: rootRouteRef,
    flag: flagRouteRef,
    access: accessRouteRef,
    changes: changesRouteRef,
  },
  extensions: [
    client,
    portalFlags,
    pages,
    page,
    list,
    segments,
    playground,
    changes,
    environments,
    projects,
    applications,
    cleanUp,
    access,
    notices,
    flag,
    entityContent,
    entityPart,
    palette,
  ],
});
