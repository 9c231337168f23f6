import { searchApiRef } from '@backstage/plugin-search-react';
import type { PaletteSource, SourceContext } from '@slipway/app-react';
import { appTranslationRef } from '../../../translation';

const LIMIT = 10;
/** The palette lists these itself, with fuzzy search. */
const LISTED = 'software-catalog';

/** Searches the portal's index beyond the catalog, such as the documents of other plugins. */
export function documentsSource({ api, texts }: SourceContext): PaletteSource {
  return {
    async search(words, { signal }) {
      const t = await texts(appTranslationRef);
      const { results } = await api(searchApiRef).query(
        { term: words, pageLimit: LIMIT },
        { signal },
      );
      return results
        .filter(({ type }) => type !== LISTED)
        .map(({ document: { title, text, location } }) => ({
          id: location,
          title,
          kind: t('palette.document'),
          detail: text.slice(0, 120),
          act: { type: 'open', href: location },
        }));
    },
  };
}
