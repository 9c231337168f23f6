import {
  createFrontendPlugin,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';
import { RiPulseLine } from '@remixicon/react';
import {
  clientOfService,
  EntityPartBlueprint,
  PaletteSourceBlueprint,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
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

const client = clientOfService(spaceApiRef, deps => new SpaceClient(deps));

const pages = wrapperOfPages(() =>
  import(/* webpackMode: "eager" */ './queries').then(m => m.servicePages),
);

const page = pageWithTabs({
  path: '/experience',
  title: 'Experience',
  icon: <RiPulseLine />,
  routeRef: rootRouteRef,
  frame: () => import('./pages/SpaceFrame').then(m => m.SpaceFrame),
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

const friction = SubPageBlueprint.make({
  name: 'friction',
  params: {
    path: 'friction',
    title: 'Friction',
    routeRef: frictionRouteRef,
    loader: () => import('./pages/FrictionPage').then(m => <m.FrictionPage />),
  },
});

const pulse = SubPageBlueprint.make({
  name: 'pulse',
  params: {
    path: 'pulse',
    title: 'Pulse survey',
    routeRef: pulseRouteRef,
    loader: () => import('./pages/PulsePage').then(m => <m.PulsePage />),
  },
});

const load = SubPageBlueprint.make({
  name: 'task-load',
  params: {
    path: 'task-load',
    title: 'Task load',
    routeRef: loadRouteRef,
    loader: () => import('./pages/TaskLoadPage').then(m => <m.TaskLoadPage />),
  },
});

const mine = SubPageBlueprint.make({
  name: 'your-data',
  params: {
    path: 'your-data',
    title: 'Your data',
    routeRef: mineRouteRef,
    loader: () => import('./pages/YourDataPage').then(m => <m.YourDataPage />),
  },
});

const homeCard = HomePageWidgetBlueprint.make({
  name: 'pulse',
  params: {
    name: 'Pulse',
    title: 'Your week',
    description: 'The pulse survey when it is due, and what others said',
    components: () =>
      import(/* webpackChunkName: "home" */ './home/PulseCard').then(m => ({
        Content: m.PulseCard,
      })),
  },
});

const entityContent = EntityContentBlueprint.make({
  name: 'experience',
  params: {
    path: '/experience',
    title: 'Experience',
    filter: { kind: 'group' },
    loader: () =>
      import('./entity/EntityExperience').then(m => <m.EntityExperience />),
  },
});

const entityPart = EntityPartBlueprint.make({
  params: {
    title: 'Experience',
    icon: RiPulseLine,
    path: '/space-metrics/api/v1',
    order: 60,
    kinds: [],
  },
});

const palette = PaletteSourceBlueprint.make({
  params: {
    title: 'Experience',
    icon: <RiPulseLine />,
    order: 90,
    isScope: false,
    loader: () => import('./palette').then(m => m.spacePalette),
    dialogs: {
      friction: () =>
        import('./friction/LogFrictionDialog').then(m => m.LogFrictionDialog),
    },
  },
});

/** Pages, home card and actions for developer experience. */
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
  extensions: [
    client,
    pages,
    page,
    overview,
    friction,
    pulse,
    load,
    mine,
    homeCard,
    entityContent,
    entityPart,
    palette,
  ],
});
