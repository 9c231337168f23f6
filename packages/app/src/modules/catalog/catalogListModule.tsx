import {
  type AppNode,
  coreExtensionData,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import apiDocsPlugin from '@backstage/plugin-api-docs/alpha';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { lazyElement } from '../../elements';

/** Loads the page, with its texts, when it is opened. */
const list = (
  node: AppNode,
  props: { name: 'catalog' | 'apis'; foreignFilters?: JSX.Element[] },
) =>
  lazyElement(node, () =>
    import(/* webpackChunkName: "catalog" */ './CatalogPage').then(
      ({ CatalogPage }) => (
        <CatalogPage {...props} pluginId={node.spec.plugin.pluginId} />
      ),
    ),
  );

const catalogPage = catalogPlugin.getExtension('page:catalog').override({
  *factory(originalFactory, { inputs, node }) {
    yield* originalFactory();
    // Ours replace those of the catalog itself; others keep their place.
    const foreignFilters = inputs.filters
      .filter(
        filter =>
          !/^catalog-filter:catalog\/(?:kind|type|list|mode|lifecycle|tag|processing-status|namespace)$/.test(
            filter.node.spec.id,
          ),
      )
      .map(filter => filter.get(coreExtensionData.reactElement));
    yield list(node, {
      name: 'catalog',
      ...(foreignFilters.length > 0 && { foreignFilters }),
    });
  },
});

const apisPage = apiDocsPlugin.getExtension('page:api-docs').override({
  *factory(originalFactory, { node }) {
    yield* originalFactory();
    yield list(node, { name: 'apis' });
  },
});

/** The catalog's list of entities, built with our components and the filters of other plugins. */
export const catalogListModule = createFrontendModule({
  pluginId: 'catalog',
  extensions: [catalogPage],
});

/** The catalog's list, limited to APIs. */
export const apiListModule = createFrontendModule({
  pluginId: 'api-docs',
  extensions: [apisPage],
});
