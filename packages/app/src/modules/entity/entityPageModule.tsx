import {
  ApiBlueprint,
  coreExtensionData,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import type { CatalogApi } from '@backstage/plugin-catalog-react';
import { EntityPage } from './EntityPage';
import { shareEntityReads } from './shareEntityReads';

const { reactElement } = coreExtensionData;
const { factory: apiFactory } = ApiBlueprint.dataRefs;

// Wraps the original, so that everything that plugins attach to the page stays attached.
const entityPage = catalogPlugin.getExtension('page:catalog/entity').override({
  *factory(originalFactory) {
    const page = originalFactory();
    yield* page;
    yield reactElement(<EntityPage>{page.get(reactElement)}</EntityPage>);
  },
});

const catalogApi = catalogPlugin.getExtension('api:catalog').override({
  *factory(originalFactory) {
    const original = originalFactory().get(apiFactory);
    yield apiFactory({
      ...original,
      factory: deps => shareEntityReads(original.factory(deps) as CatalogApi),
    });
  },
});

/** Backstage's page of an entity, with our components for entities that are missing or fail to load. */
export const entityPageModule = createFrontendModule({
  pluginId: 'catalog',
  extensions: [entityPage, catalogApi],
});
