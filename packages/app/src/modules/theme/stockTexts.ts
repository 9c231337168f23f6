import { createTranslationMessages } from '@backstage/frontend-plugin-api';
import { catalogTranslationRef } from '@backstage/plugin-catalog/alpha';

/**
 * Our texts for the catalog: the stock title repeats the product's name, and a missing entity is
 * explained with a link to the documentation of Backstage.
 */
export const catalogTexts = createTranslationMessages({
  ref: catalogTranslationRef,
  messages: {
    'indexPage.title': 'Software catalog',
    'entityLabels.warningPanelTitle': 'Not found in the catalog',
    'entityPage.notFoundMessage':
      'No {{kind}} has this name. It may have been renamed or deleted.',
  },
});
