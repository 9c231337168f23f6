import { createTranslationMessages } from '@backstage/frontend-plugin-api';
import { catalogTranslationRef } from '@backstage/plugin-catalog/alpha';
import { userSettingsTranslationRef } from '@backstage/plugin-user-settings/alpha';

/** Our texts for the catalog: the stock title repeats the product's name. */
export const catalogTexts = createTranslationMessages({
  ref: catalogTranslationRef,
  messages: {
    'indexPage.title': 'Software catalog',
  },
});

/** The settings without the name of the underlying framework. */
export const settingsTexts = createTranslationMessages({
  ref: userSettingsTranslationRef,
  messages: {
    'identityCard.title': 'Your identity',
    'identityCard.noIdentityTitle': 'No identity',
    'identityCard.userEntity': 'Signed in as',
    'identityCard.ownershipEntities': 'You and your groups',
  },
});
