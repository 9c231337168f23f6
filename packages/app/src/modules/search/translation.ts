import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts of the search page, loaded together with it. */
export const searchPageTranslationRef = createTranslationRef({
  id: 'slipway.search',
  messages: {
    title: 'Search',
    description:
      'Search everything that the catalog and the plugins have indexed.',
    words: 'Search by name, description or owner',
    type: 'Source',
    anyType: 'Any source',
    catalog: 'Catalog',
    kind: 'Kind',
    anyKind: 'Any kind',
    lifecycle: 'Lifecycle',
    anyLifecycle: 'Any lifecycle',
    results: 'Results',
    count_one: '{{count, number}} result',
    count_other: '{{count, number}} results',
    some_one: '{{count, number}} result on this page',
    some_other: '{{count, number}} results on this page',
    loading: 'Searching',
    failed: 'Search failed',
    startTitle: 'Search everything',
    startText:
      'Type a name or a few words. Press Ctrl K on any page to search from there.',
    noneTitle: 'No matching results',
    noneText: 'Try fewer or different words, or clear the filters.',
    pages: 'Pages of results',
    previous: 'Previous page',
    next: 'Next page',
  },
});
