import type { Entity } from '@backstage/catalog-model';
import {
  ApiBlueprint,
  coreExtensionData,
  createExtension,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import type { CatalogApi } from '@backstage/plugin-catalog-react';
import {
  EntityContextMenuItemBlueprint,
  EntityHeaderLayoutBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { EntityHeader, EntityMenuItems } from './EntityHeader';
import { EntityPage } from './EntityPage';
import { shareEntityReads } from './shareEntityReads';

const { reactElement } = coreExtensionData;
const { factory: apiFactory } = ApiBlueprint.dataRefs;
const menuItem = EntityContextMenuItemBlueprint.dataRefs;
const isForAll = (_entity: Entity) => true;

// The blueprint would load the component lazily, but the header must appear together with the entity.
const header = createExtension({
  kind: 'entity-header-layout',
  name: 'titles',
  attachTo: { id: 'page:catalog/entity', input: 'headerLayouts' },
  output: [EntityHeaderLayoutBlueprint.dataRefs.component],
  factory: () => [EntityHeaderLayoutBlueprint.dataRefs.component(EntityHeader)],
});

// Wraps the original, so that everything that plugins attach to the page stays attached.
const entityPage = catalogPlugin.getExtension('page:catalog/entity').override({
  *factory(originalFactory, { inputs }) {
    const page = originalFactory();
    yield* page;
    const menuItems = inputs.contextMenuItems.map(item => ({
      node: item.node,
      isFor: item.get(menuItem.filterFunction) ?? isForAll,
      data: item.get(menuItem.data),
    }));
    yield reactElement(
      <EntityMenuItems.Provider value={menuItems}>
        <EntityPage>{page.get(reactElement)}</EntityPage>
      </EntityMenuItems.Provider>,
    );
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

/**
 * Overrides Backstage's entity page: uses our header, and our components for entities that are missing
 * or fail to load.
 */
export const entityPageModule = createFrontendModule({
  pluginId: 'catalog',
  extensions: [entityPage, header, catalogApi],
});
