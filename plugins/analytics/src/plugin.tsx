import {
  ApiBlueprint,
  PageBlueprint,
  PluginWrapperBlueprint,
  configApiRef,
  createFrontendFeatureLoader,
  createFrontendModule,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
  identityApiRef,
} from '@backstage/frontend-plugin-api';
import { AnalyticsImplementationBlueprint } from '@backstage/plugin-app-react';
import { RiBarChartLine } from '@remixicon/react';
import { eventsApiRef } from './api/EventsApi';
import { EventsClient } from './api/EventsClient';
import { SlipwayAnalytics } from './capture/SlipwayAnalytics';
import { queryRouteRef, rootRouteRef, settingsRouteRef } from './routes';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: eventsApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new EventsClient(deps),
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
    path: '/analytics',
    title: 'Analytics',
    icon: <RiBarChartLine />,
    routeRef: rootRouteRef,
    noHeader: true,
    loader: () =>
      import('./pages/AnalyticsRoutes').then(m => <m.AnalyticsRoutes />),
  },
});

/** Pages of product analytics. */
export const analyticsPlugin = createFrontendPlugin({
  pluginId: 'analytics',
  title: 'Analytics',
  icon: <RiBarChartLine />,
  routes: {
    root: rootRouteRef,
    query: queryRouteRef,
    settings: settingsRouteRef,
  },
  extensions: [clientApi, pages, page],
});

/** What the app itself reports goes to the same service. */
const portalUse = createFrontendModule({
  pluginId: 'app',
  extensions: [
    AnalyticsImplementationBlueprint.make({
      name: 'slipway',
      params: define =>
        define({
          deps: { configApi: configApiRef, identityApi: identityApiRef },
          factory: deps => SlipwayAnalytics.fromConfig(deps),
        }),
    }),
  ],
});

export default createFrontendFeatureLoader({
  loader: () => [analyticsPlugin, portalUse],
});
