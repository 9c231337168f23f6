import { createFrontendModule } from '@backstage/frontend-plugin-api';
import searchPlugin from '@backstage/plugin-search/alpha';
import {
  SearchFilterBlueprint,
  SearchFilterResultTypeBlueprint,
  SearchResultListItemBlueprint,
} from '@backstage/plugin-search-react/alpha';
import { lazyElement } from '../../elements';

/** The catalog's own item, built with Material UI; ours replaces it. */
const STOCK_ITEM = 'search-result-list-item:catalog';

const page = searchPlugin.getExtension('page:search').override({
  *factory(originalFactory, { config, inputs, node }) {
    yield* originalFactory();
    yield lazyElement(node, () =>
      import('./SearchPage').then(({ SearchPage }) => (
        <SearchPage
          noTrack={config.noTrack}
          items={inputs.items
            .filter(item => item.node.spec.id !== STOCK_ITEM)
            .map(item => item.get(SearchResultListItemBlueprint.dataRefs.item))}
          resultTypes={inputs.resultTypes.map(type =>
            type.get(SearchFilterResultTypeBlueprint.dataRefs.resultType),
          )}
          searchFilters={inputs.searchFilters.map(
            filter =>
              filter.get(SearchFilterBlueprint.dataRefs.searchFilters)
                .component,
          )}
        />
      )),
    );
  },
});

/** The search page, built with our components and the items, types and filters of all plugins. */
export const searchModule = createFrontendModule({
  pluginId: 'search',
  extensions: [page],
});
