import {
  ApiBlueprint,
  PageBlueprint,
  PluginWrapperBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { RiFlagLine } from '@remixicon/react';
import { CommandBlueprint } from '@slipway/app-react';
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

const page = PageBlueprint.make({
  params: {
    path: '/flags',
    title: 'Flags',
    icon: <RiFlagLine />,
    routeRef: rootRouteRef,
    noHeader: true,
    loader: () => import('./pages/FlagRoutes').then(m => <m.FlagRoutes />),
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
  extensions: [clientApi, pages, page, createFlag],
});
