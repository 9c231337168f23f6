import {
  ApiBlueprint,
  PageBlueprint,
  PluginWrapperBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
  identityApiRef,
} from '@backstage/frontend-plugin-api';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';
import { RiPulseLine } from '@remixicon/react';
import { CommandBlueprint } from '@slipway/app-react';
import { spaceApiRef } from './api/SpaceApi';
import { SpaceClient } from './api/SpaceClient';
import {
  frictionCategoryRouteRef,
  frictionRouteRef,
  loadRouteRef,
  mineRouteRef,
  pulseRouteRef,
  rootRouteRef,
} from './routes';

const clientApi = ApiBlueprint.make({
  name: 'client',
  params: define =>
    define({
      api: spaceApiRef,
      deps: {
        discoveryApi: discoveryApiRef,
        fetchApi: fetchApiRef,
        identityApi: identityApiRef,
      },
      factory: deps => new SpaceClient(deps),
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
    path: '/experience',
    title: 'Experience',
    icon: <RiPulseLine />,
    routeRef: rootRouteRef,
    noHeader: true,
    loader: () => import('./pages/SpaceRoutes').then(m => <m.SpaceRoutes />),
  },
});

const homeCard = HomePageWidgetBlueprint.make({
  name: 'pulse',
  params: {
    name: 'Pulse',
    title: 'Your week',
    description: 'The pulse survey when it is due, and what others said',
    components: () =>
      import('./home/PulseCard').then(m => ({ Content: m.PulseCard })),
  },
});

const logFriction = CommandBlueprint.make({
  name: 'log-friction',
  params: {
    title: 'Log friction',
    keywords: ['blocker', 'slow', 'waiting', 'lost', 'time', 'experience'],
    loader: () =>
      import('./friction/LogFrictionDialog').then(m => m.LogFrictionDialog),
  },
});

/** Pages, home card and command of developer experience. */
export default createFrontendPlugin({
  pluginId: 'space',
  title: 'Experience',
  icon: <RiPulseLine />,
  routes: {
    root: rootRouteRef,
    friction: frictionRouteRef,
    frictionCategory: frictionCategoryRouteRef,
    pulse: pulseRouteRef,
    load: loadRouteRef,
    mine: mineRouteRef,
  },
  extensions: [clientApi, pages, page, homeCard, logFriction],
});
