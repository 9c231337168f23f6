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

/**
 * Provides the client that queries the parts of the platform about entities; each plugin adds its
 * part.
 */
export const entityPartsModule = createFrontendModule({
  pluginId: 'app',
  extensions: [partsApi],
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
