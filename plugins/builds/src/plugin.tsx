import {
  ApiBlueprint,
  PageBlueprint,
  PluginWrapperBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { RiHammerLine } from '@remixicon/react';
import { buildsApiRef } from './api/BuildsApi';
import { BuildsClient } from './api/BuildsClient';
import { buildRouteRef, jobRouteRef, rootRouteRef } from './routes';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: buildsApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new BuildsClient(deps),
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
    path: '/builds',
    title: 'Builds',
    icon: <RiHammerLine />,
    routeRef: rootRouteRef,
    noHeader: true,
    loader: () => import('./pages/BuildsRoutes').then(m => <m.BuildsRoutes />),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'builds',
  params: {
    path: '/builds',
    title: 'Builds',
    filter: {
      kind: 'component',
      'metadata.annotations.slipway.dev/build-job': { $exists: true },
    },
    loader: () => import('./entity/EntityBuilds').then(m => <m.EntityBuilds />),
  },
});

/** Pages of the build server, and a tab of the components that it builds. */
export default createFrontendPlugin({
  pluginId: 'builds',
  title: 'Builds',
  icon: <RiHammerLine />,
  routes: { root: rootRouteRef, job: jobRouteRef, build: buildRouteRef },
  extensions: [clientApi, pages, page, entityContent],
});
