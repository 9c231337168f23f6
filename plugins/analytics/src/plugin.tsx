import {
  configApiRef,
  createFrontendFeatureLoader,
  createFrontendModule,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { AnalyticsImplementationBlueprint } from '@backstage/plugin-app-react';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { RiBarChartLine } from '@remixicon/react';
import {
  clientOfService,
  EntityPartBlueprint,
  PaletteSourceBlueprint,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { cohortsApiRef } from './api/CohortsApi';
import { CohortsClient } from './api/CohortsClient';
import { destinationsApiRef } from './api/DestinationsApi';
import { DestinationsClient } from './api/DestinationsClient';
import { eventsApiRef } from './api/EventsApi';
import { EventsClient } from './api/EventsClient';
import { insightsApiRef } from './api/InsightsApi';
import { InsightsClient } from './api/InsightsClient';
import { peopleApiRef } from './api/PeopleApi';
import { PeopleClient } from './api/PeopleClient';
import { SlipwayAnalytics } from './capture/SlipwayAnalytics';
import { rootRouteRef } from './routes';

const client = clientOfService(eventsApiRef, deps => new EventsClient(deps));

const insightsClient = clientOfService(
  insightsApiRef,
  deps => new InsightsClient(deps),
  'insights-client',
);

const peopleClient = clientOfService(
  peopleApiRef,
  deps => new PeopleClient(deps),
  'people-client',
);

const cohortsClient = clientOfService(
  cohortsApiRef,
  deps => new CohortsClient(deps),
  'cohorts-client',
);

const destinationsClient = clientOfService(
  destinationsApiRef,
  deps => new DestinationsClient(deps),
  'destinations-client',
);

const pages = wrapperOfPages(() =>
  import(/* webpackMode: "eager" */ './queries').then(m => m.servicePages),
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

const insights = SubPageBlueprint.make({
  name: 'insights',
  params: {
    path: 'insights',
    title: 'Insights',
    loader: () => import('./pages/InsightsPage').then(m => <m.InsightsPage />),
  },
});

const dashboards = SubPageBlueprint.make({
  name: 'dashboards',
  params: {
    path: 'dashboards',
    title: 'Dashboards',
    loader: () =>
      import('./pages/DashboardsPage').then(m => <m.DashboardsPage />),
  },
});

const web = SubPageBlueprint.make({
  name: 'web',
  params: {
    path: 'web',
    title: 'Web',
    loader: () => import('./pages/WebPage').then(m => <m.WebPage />),
  },
});

const people = SubPageBlueprint.make({
  name: 'users',
  params: {
    path: 'users',
    title: 'Users',
    loader: () => import('./pages/PeoplePage').then(m => <m.PeoplePage />),
  },
});

const cohorts = SubPageBlueprint.make({
  name: 'cohorts',
  params: {
    path: 'cohorts',
    title: 'Cohorts',
    loader: () => import('./pages/CohortsPage').then(m => <m.CohortsPage />),
  },
});

const definitions = SubPageBlueprint.make({
  name: 'definitions',
  params: {
    path: 'definitions',
    title: 'Definitions',
    loader: () =>
      import('./pages/DefinitionsPage').then(m => <m.DefinitionsPage />),
  },
});

const health = SubPageBlueprint.make({
  name: 'health',
  params: {
    path: 'health',
    title: 'Health',
    loader: () => import('./pages/HealthPage').then(m => <m.HealthPage />),
  },
});

const connect = SubPageBlueprint.make({
  name: 'connect',
  params: {
    path: 'connect',
    title: 'Connect',
    loader: () => import('./pages/ConnectGuide').then(m => <m.ConnectGuide />),
  },
});

const groups = SubPageBlueprint.make({
  name: 'groups',
  params: {
    path: 'groups',
    title: 'Groups',
    loader: () => import('./pages/GroupsPage').then(m => <m.GroupsPage />),
  },
});

const destinations = SubPageBlueprint.make({
  name: 'destinations',
  params: {
    path: 'destinations',
    title: 'Destinations',
    loader: () =>
      import('./pages/DestinationsPage').then(m => <m.DestinationsPage />),
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

const entityContent = EntityContentBlueprint.make({
  name: 'analytics',
  params: {
    path: '/analytics',
    title: 'Analytics',
    filter: {
      kind: 'component',
      'metadata.annotations.slipway.dev/analytics-project': { $exists: true },
    },
    loader: () =>
      import('./entity/EntityAnalytics').then(m => <m.EntityAnalytics />),
  },
});

const entityPart = EntityPartBlueprint.make({
  params: {
    title: 'Analytics',
    icon: RiBarChartLine,
    path: '/analytics/api/v1',
    order: 70,
    kinds: [],
  },
});

const palette = PaletteSourceBlueprint.make({
  params: {
    title: 'Analytics',
    icon: <RiBarChartLine />,
    order: 85,
    loader: () => import('./palette').then(m => m.analyticsPalette),
  },
});

/**
 * The plugin for product analytics: its pages, a tab on the pages of components whose
 * products send events, and saved items in the palette.
 */
export const analyticsPlugin = createFrontendPlugin({
  pluginId: 'analytics',
  title: 'Analytics',
  icon: <RiBarChartLine />,
  routes: { root: rootRouteRef },
  extensions: [
    client,
    insightsClient,
    peopleClient,
    cohortsClient,
    destinationsClient,
    pages,
    page,
    live,
    web,
    insights,
    dashboards,
    query,
    people,
    cohorts,
    groups,
    definitions,
    health,
    connect,
    destinations,
    settings,
    entityContent,
    entityPart,
    palette,
  ],
});

/** Sends the app's own analytics events to the same service. */
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
