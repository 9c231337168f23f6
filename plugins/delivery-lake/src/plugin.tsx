import {
  ApiBlueprint,
  PageBlueprint,
  PluginWrapperBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';
import { RiRocket2Line } from '@remixicon/react';
import { deliveryLakeApiRef } from './api/DeliveryLakeApi';
import { DeliveryLakeClient } from './api/DeliveryLakeClient';
import {
  deploymentRouteRef,
  deploymentsRouteRef,
  incidentsRouteRef,
  rootRouteRef,
  unmatchedRouteRef,
} from './routes';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: deliveryLakeApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new DeliveryLakeClient(deps),
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
    path: '/delivery',
    title: 'Delivery',
    icon: <RiRocket2Line />,
    routeRef: rootRouteRef,
    noHeader: true,
    loader: () =>
      import('./pages/DeliveryRoutes').then(m => <m.DeliveryRoutes />),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'delivery',
  params: {
    path: '/delivery',
    title: 'Delivery',
    filter: { kind: 'component' },
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

const homeCard = HomePageWidgetBlueprint.make({
  name: 'my-delivery',
  params: {
    name: 'MyDelivery',
    title: 'Delivery',
    description: 'The DORA metrics of your team',
    components: () =>
      import('./home/MyDelivery').then(m => ({ Content: m.MyDelivery })),
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
    unmatched: unmatchedRouteRef,
  },
  extensions: [
    clientApi,
    pages,
    page,
    entityContent,
    componentCard,
    groupCard,
    homeCard,
  ],
});
