import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts that plugins share. */
export const appReactTranslationRef = createTranslationRef({
  id: 'app-react',
  messages: {
    action: {
      undo: 'Undo',
      undone: 'Undone',
      failed: '{{action}} failed',
      menu: 'Actions for {{title}}',
      loading: 'Loading actions',
      none: 'No actions for you here',
    },
    entity: { component: 'Component' },
    views: {
      title: 'Views',
      saved: 'Saved views',
      save: 'Save this view',
      confirm: 'Save view',
      name: 'Name',
      nameMissing: 'Enter a name',
      replace: 'Replace view',
      replaces: 'Replaces the view “{{name}}”.',
      failed: "Couldn't save the views",
      remove: 'Delete “{{name}}”',
      removed: 'View “{{name}}” deleted',
    },
    failure: {
      down: '{{service}} is not responding',
      downAdvice:
        'The portal found no service at {{endpoint}}. This page updates automatically when it is running again.',
      downSend:
        '{{service}} is not responding. Your input is kept: try again in a moment.',
      denied: 'No access to {{data}}',
      request: 'Request {{id}}.',
      portal: 'The portal',
      offline: "Couldn't reach the portal. Check your connection.",
      unauthenticated: 'Your session has ended. Sign in again.',
      signIn: 'Sign in',
      forbidden:
        'This account may not do that. A platform admin can grant access.',
      notFound: 'Not found. It may have been deleted.',
      conflict: 'It has changed in the meantime. Reload and try again.',
      limited: 'Rate limit reached. Try again in a minute.',
      invalid: 'The request was rejected.',
      unavailable: '{{service}} is not responding. Try again in a moment.',
      unexpected: '{{service}} failed.',
    },
  },
});
