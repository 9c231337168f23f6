import { createTranslationMessages } from '@backstage/frontend-plugin-api';
import { catalogTranslationRef } from '@backstage/plugin-catalog/alpha';

/** The catalog in our words: the stock title repeats the name of the product. */
export const catalogTexts = createTranslationMessages({
  ref: catalogTranslationRef,
  messages: {
    'indexPage.title': 'Software catalog',
  },
});
