import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The words that plugins share. */
export const appReactTranslationRef = createTranslationRef({
  id: 'app-react',
  messages: {
    failure: {
      down: '{{service}} does not answer',
      downAdvice:
        'The portal reached no service at {{endpoint}}. Once it runs again, this page comes back by itself.',
      downSend:
        '{{service}} does not answer. What you wrote stays here: try again in a moment.',
      denied: 'No access to {{data}}',
      request: 'Request {{id}}.',
    },
  },
});
