import {
  createFrontendPlugin,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { RiFlagLine } from '@remixicon/react';
import {
  CommandBlueprint,
  clientOfService,
  detailPage,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { flagsApiRef } from './api/FlagsApi';
import { FlagsClient } from './api/FlagsClient';
import { accessRouteRef, flagRouteRef, rootRouteRef } from './routes';

const client = clientOfService(flagsApiRef, deps => new FlagsClient(deps));

const pages = wrapperOfPages(() =>
  import('./queries').then(m => m.servicePages),
);

const page = pageWithTabs({
  path: '/flags',
  title: 'Flags',
  icon: <RiFlagLine />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/ListPage').then(m => m.FlagsFrame),
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

const access = SubPageBlueprint.make({
  name: 'access',
  params: {
    path: 'api-access',
    title: 'API access',
    routeRef: accessRouteRef,
    loader: () => import('./pages/AccessPage').then(m => <m.AccessPage />),
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

const createFlag = CommandBlueprint.make({
  name: 'create-flag',
  params: {
    title: 'Create flag',
    keywords: ['feature', 'toggle', 'rollout', 'release', 'unleash'],
    loader: () =>
      import('./pages/CreateFlagDialog').then(m => m.CreateFlagDialog),
  },
});

/** Pages and command of feature flags. */
export default createFrontendPlugin({
  pluginId: 'feature-flags',
  title: 'Flags',
  icon: <RiFlagLine />,
  routes: { root: rootRouteRef, flag: flagRouteRef, access: accessRouteRef },
  extensions: [client, pages, page, list, segments, access, flag, createFlag],
});
