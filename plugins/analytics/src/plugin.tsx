import {
  configApiRef,
  createFrontendFeatureLoader,
  createFrontendModule,
  createFrontendPlugin,
  createRouteRef,
  discoveryApiRef,
  fetchApiRef,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { AnalyticsImplementationBlueprint } from '@backstage/plugin-app-react';
import { RiBarChartLine } from '@remixicon/react';
import {
  clientOfService,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { eventsApiRef } from './api/EventsApi';
import { EventsClient } from './api/EventsClient';
import { SlipwayAnalytics } from './capture/SlipwayAnalytics';

/** Events as they arrive; questions about them and settings are tabs below it. */
const rootRouteRef = createRouteRef();

const client = clientOfService(eventsApiRef, deps => new EventsClient(deps));

const pages = wrapperOfPages(() =>
  import('./queries').then(m => m.servicePages),
);

const page = pageWithTabs({
  path: '/analytics',
  title: 'Analytics',
  icon: <RiBarChartLine />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/AnalyticsFrame').then(m => m.AnalyticsFrame),
});

const live = SubPageBlueprint.make({
  name: 'live',
  params: {
    path: '',
    title: 'Live events',
    loader: () => import('./pages/LivePage').then(m => <m.LivePage />),
  },
});

const query = SubPageBlueprint.make({
  name: 'query',
  params: {
    path: 'query',
    title: 'Query',
    loader: () => import('./pages/QueryPage').then(m => <m.QueryPage />),
  },
});

const trends = SubPageBlueprint.make({
  name: 'trends',
  params: {
    path: 'trends',
    title: 'Trends',
    loader: () => import('./pages/TrendsPage').then(m => <m.TrendsPage />),
  },
});

const settings = SubPageBlueprint.make({
  name: 'settings',
  params: {
    path: 'settings',
    title: 'Project settings',
    loader: () => import('./pages/SettingsPage').then(m => <m.SettingsPage />),
  },
});

/** Pages of product analytics. */
export const analyticsPlugin = createFrontendPlugin({
  pluginId: 'analytics',
  title: 'Analytics',
  icon: <RiBarChartLine />,
  routes: { root: rootRouteRef },
  extensions: [client, pages, page, live, trends, query, settings],
});

/** What the app itself reports goes to the same service. */
const portalUse = createFrontendModule({
  pluginId: 'app',
  extensions: [
    AnalyticsImplementationBlueprint.make({
      name: 'slipway',
      params: define =>
        define({
          deps: {
            configApi: configApiRef,
            discoveryApi: discoveryApiRef,
            fetchApi: fetchApiRef,
          },
          factory: deps => SlipwayAnalytics.fromConfig(deps),
        }),
    }),
  ],
});

export default createFrontendFeatureLoader({
  loader: () => [analyticsPlugin, portalUse],
});
