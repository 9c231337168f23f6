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
      portal: 'The portal',
      offline: 'The portal could not be reached. Check the connection.',
      unauthenticated: 'The session has ended. Sign in again.',
      forbidden:
        'This account may not do that. A platform admin can give access.',
      notFound: 'It was not found. It may have been deleted.',
      conflict: 'It has changed meanwhile. Look again.',
      limited: 'A limit is reached. Try again in a minute.',
      invalid: 'The request was not accepted.',
      unavailable: '{{service}} does not answer. Try again in a moment.',
      unexpected: '{{service}} failed.',
    },
  },
});
