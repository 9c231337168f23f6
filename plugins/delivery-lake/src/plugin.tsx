import {
  createFrontendPlugin,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';
import { RiRocket2Line } from '@remixicon/react';
import {
  clientOfService,
  EntityPartBlueprint,
  PaletteSourceBlueprint,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { deliveryLakeApiRef } from './api/DeliveryLakeApi';
import { DeliveryLakeClient } from './api/DeliveryLakeClient';
import {
  connectionRouteRef,
  connectionsRouteRef,
  deploymentRouteRef,
  deploymentsRouteRef,
  incidentRouteRef,
  incidentsRouteRef,
  rootRouteRef,
  unmatchedRouteRef,
} from './routes';

const client = clientOfService(
  deliveryLakeApiRef,
  deps => new DeliveryLakeClient(deps),
);

const pages = wrapperOfPages(() =>
  import(/* webpackMode: "eager" */ './queries').then(m => m.servicePages),
);

const page = pageWithTabs({
  path: '/delivery',
  title: 'Delivery',
  icon: <RiRocket2Line />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/DeliveryFrame').then(m => m.DeliveryFrame),
});

const overview = SubPageBlueprint.make({
  name: 'overview',
  params: {
    path: '',
    title: 'Overview',
    loader: () =>
      import('./pages/Overview/OverviewPage').then(m => <m.OverviewPage />),
  },
});

const deployments = SubPageBlueprint.make({
  name: 'deployments',
  params: {
    path: 'deployments',
    title: 'Deployments',
    routeRef: deploymentsRouteRef,
    loader: () =>
      import('./pages/DeploymentsPage').then(m => <m.DeploymentsPage />),
  },
});

const incidents = SubPageBlueprint.make({
  name: 'incidents',
  params: {
    path: 'incidents',
    title: 'Incidents',
    routeRef: incidentsRouteRef,
    loader: () =>
      import('./pages/IncidentsPage').then(m => <m.IncidentsPage />),
  },
});

const unmatched = SubPageBlueprint.make({
  name: 'unmatched',
  params: {
    path: 'unmatched',
    title: 'Unmatched',
    routeRef: unmatchedRouteRef,
    loader: () =>
      import('./pages/UnmatchedPage').then(m => <m.UnmatchedPage />),
  },
});

const connections = SubPageBlueprint.make({
  name: 'connections',
  params: {
    path: 'connections',
    title: 'Connections',
    routeRef: connectionsRouteRef,
    loader: () =>
      import('./pages/ConnectionsPage').then(m => <m.ConnectionsPage />),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'delivery',
  params: {
    path: '/delivery',
    title: 'Delivery',
    filter: { kind: { $in: ['component', 'system', 'group'] } },
    loader: () =>
      import('./entity/EntityDeliveryContent').then(m => (
        <m.EntityDeliveryContent />
      )),
  },
});

const componentCard = EntityCardBlueprint.make({
  name: 'component',
  params: {
    type: 'info',
    filter: { kind: 'component' },
    loader: () =>
      import('./entity/EntityDeliveryCard').then(m => (
        <m.ComponentDeliveryCard />
      )),
  },
});

const groupCard = EntityCardBlueprint.make({
  name: 'group',
  params: {
    type: 'info',
    filter: { kind: 'group' },
    loader: () =>
      import('./entity/EntityDeliveryCard').then(m => <m.GroupDeliveryCard />),
  },
});

const versionsCard = EntityCardBlueprint.make({
  name: 'versions',
  params: {
    type: 'info',
    filter: { kind: { $in: ['system', 'group'] } },
    loader: () =>
      import('./entity/EntityDeliveryCard').then(m => <m.VersionsCard />),
  },
});

const homeCard = HomePageWidgetBlueprint.make({
  name: 'my-delivery',
  params: {
    name: 'MyDelivery',
    title: 'Delivery',
    description: 'The DORA metrics of your team',
    components: () =>
      import(/* webpackChunkName: "home" */ './home/MyDelivery').then(m => ({
        Content: m.MyDelivery,
      })),
  },
});

const entityPart = EntityPartBlueprint.make({
  params: {
    title: 'Delivery',
    icon: RiRocket2Line,
    pluginId: 'delivery-lake',
    path: '',
    order: 10,
    isWide: true,
    kinds: ['deployment', 'incident'],
  },
});

const palette = PaletteSourceBlueprint.make({
  params: {
    title: 'Delivery',
    icon: <RiRocket2Line />,
    order: 70,
    loader: () => import('./palette').then(m => m.deliveryPalette),
  },
});

/** Pages and cards of the delivery lake. */
export default createFrontendPlugin({
  pluginId: 'delivery-lake',
  title: 'Delivery',
  icon: <RiRocket2Line />,
  routes: {
    root: rootRouteRef,
    deployments: deploymentsRouteRef,
    deployment: deploymentRouteRef,
    incidents: incidentsRouteRef,
    incident: incidentRouteRef,
    unmatched: unmatchedRouteRef,
    connections: connectionsRouteRef,
    connection: connectionRouteRef,
  },
  extensions: [
    client,
    pages,
    page,
    overview,
    deployments,
    incidents,
    unmatched,
    connections,
    entityContent,
    componentCard,
    groupCard,
    versionsCard,
    homeCard,
    entityPart,
    palette,
  ],
});
