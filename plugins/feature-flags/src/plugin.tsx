import {
  ApiBlueprint,
  PluginWrapperBlueprint,
  SubPageBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { RiFlagLine } from '@remixicon/react';
import { CommandBlueprint, detailPage, pageWithTabs } from '@slipway/app-react';
import { flagsApiRef } from './api/FlagsApi';
import { FlagsClient } from './api/FlagsClient';
import { accessRouteRef, flagRouteRef, rootRouteRef } from './routes';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: flagsApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new FlagsClient(deps),
    }),
});

const pages = PluginWrapperBlueprint.make({
  params: define =>
    define({
      loader: () => import('./servicePages').then(m => m.servicePages),
    }),
});

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
    loader: () => import('./pages/List/ListPage').then(m => <m.ListPage />),
  },
});

const access = SubPageBlueprint.make({
  name: 'access',
  params: {
    path: 'api-access',
    title: 'API access',
    routeRef: accessRouteRef,
    loader: () =>
      import('./pages/Access/AccessPage').then(m => <m.AccessPage />),
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
      import('./pages/List/CreateFlagDialog').then(m => m.CreateFlagDialog),
  },
});

/** Pages and command of feature flags. */
export default createFrontendPlugin({
  pluginId: 'feature-flags',
  title: 'Flags',
  icon: <RiFlagLine />,
  routes: { root: rootRouteRef, flag: flagRouteRef, access: accessRouteRef },
  extensions: [clientApi, pages, page, list, access, flag, createFlag],
});
