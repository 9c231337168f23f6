import { createTranslationMessages } from '@backstage/frontend-plugin-api';
import { catalogTranslationRef } from '@backstage/plugin-catalog/alpha';

/** Our texts for the catalog: the stock title repeats the product's name. */
export const catalogTexts = createTranslationMessages({
  ref: catalogTranslationRef,
  messages: { 'indexPage.title': 'Software catalog' },
});
