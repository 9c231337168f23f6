import {
  ApiBlueprint,
  createExtensionInput,
  createFrontendModule,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import {
  EntityContentBlueprint,
  EntityContentLayoutBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import {
  RiBarChartLine,
  RiFeedbackLine,
  RiFlagLine,
  RiHammerLine,
  RiPulseLine,
  RiRocket2Line,
  RiTerminalBoxLine,
} from '@remixicon/react';
import {
  EntityPartBlueprint,
  EntityPartsClient,
  entityPartsApiRef,
} from '@slipway/app-react';

const partsApi = ApiBlueprint.makeWithOverrides({
  name: 'entity-parts',
  inputs: {
    parts: createExtensionInput([EntityPartBlueprint.dataRefs.part]),
  },
  factory: (originalFactory, { inputs }) =>
    originalFactory(define =>
      define({
        api: entityPartsApiRef,
        deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
        factory: deps =>
          new EntityPartsClient({
            ...deps,
            parts: inputs.parts.map(input =>
              input.get(EntityPartBlueprint.dataRefs.part),
            ),
          }),
      }),
    ),
});

const delivery = EntityPartBlueprint.make({
  name: 'delivery',
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

const builds = EntityPartBlueprint.make({
  name: 'builds',
  params: {
    title: 'Builds',
    icon: RiHammerLine,
    path: '/build-server/api/v1',
    order: 20,
    kinds: ['build', 'commit'],
  },
});

const flags = EntityPartBlueprint.make({
  name: 'flags',
  params: {
    title: 'Flags',
    icon: RiFlagLine,
    path: '/feature-flags/api/v1',
    order: 30,
    kinds: ['flag'],
  },
});

const workspaces = EntityPartBlueprint.make({
  name: 'workspaces',
  params: {
    title: 'Workspaces',
    icon: RiTerminalBoxLine,
    pluginId: 'ide-launcher',
    path: '',
    order: 40,
    kinds: ['workspace'],
  },
});

const feedback = EntityPartBlueprint.make({
  name: 'feedback',
  params: {
    title: 'Feedback',
    icon: RiFeedbackLine,
    path: '/feedback/api/v1',
    order: 50,
    kinds: ['feedback'],
  },
});

const experience = EntityPartBlueprint.make({
  name: 'experience',
  params: {
    title: 'Experience',
    icon: RiPulseLine,
    path: '/space-metrics/api/v1',
    order: 60,
    kinds: [],
  },
});

const usage = EntityPartBlueprint.make({
  name: 'usage',
  params: {
    title: 'Analytics',
    icon: RiBarChartLine,
    path: '/analytics/api/v1',
    order: 70,
    kinds: [],
  },
});

/** The parts of the platform that provide data on entities, and the API that queries them. */
export const entityPartsModule = createFrontendModule({
  pluginId: 'app',
  extensions: [
    partsApi,
    delivery,
    builds,
    flags,
    workspaces,
    feedback,
    experience,
    usage,
  ],
});

const overview = EntityContentLayoutBlueprint.make({
  name: 'cockpit',
  params: {
    filter: { kind: { $in: ['component', 'system', 'group'] } },
    loader: () => import('./Cockpit').then(m => m.Cockpit),
  },
});

const otherOverviews = EntityContentLayoutBlueprint.make({
  name: 'overview',
  params: {
    loader: () =>
      import('../entity/EntityOverview').then(m => m.EntityOverview),
  },
});

const dependencies = EntityContentBlueprint.make({
  name: 'dependencies',
  params: {
    path: '/dependencies',
    title: 'Dependencies',
    filter: { kind: { $in: ['component', 'system', 'api', 'resource'] } },
    loader: () =>
      import('./Dependencies').then(({ Dependencies }) => <Dependencies />),
  },
});

/** The overviews of components, systems and groups, and of all other kinds, and the dependency graph. */
export const cockpitModule = createFrontendModule({
  pluginId: 'catalog',
  // The first layout that is for an entity applies, so the one for all comes last.
  extensions: [overview, otherOverviews, dependencies],
});
