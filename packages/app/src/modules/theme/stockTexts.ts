import { createTranslationMessages } from '@backstage/frontend-plugin-api';
import { catalogTranslationRef } from '@backstage/plugin-catalog/alpha';
import { userSettingsTranslationRef } from '@backstage/plugin-user-settings/alpha';

/** The catalog in our words: the stock title repeats the name of the product. */
export const catalogTexts = createTranslationMessages({
  ref: catalogTranslationRef,
  messages: {
    'indexPage.title': 'Software catalog',
  },
});

/** The settings without the name of what the portal is made with. */
export const settingsTexts = createTranslationMessages({
  ref: userSettingsTranslationRef,
  messages: {
    'identityCard.title': 'Your identity',
    'identityCard.noIdentityTitle': 'No identity',
  },
});
