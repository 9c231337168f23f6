import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts of the portal's own pages: sign-in, navigation and home. */
export const appTranslationRef = createTranslationRef({
  id: 'slipway',
  messages: {
    signIn: {
      title: 'Slipway',
      development: 'Development sign-in: choose a user. No password needed.',
      continueAs: 'Continue as {{name}}',
      oidc: 'Sign in with your {{title}} account.',
      continueWith: 'Continue with {{title}}',
      failed: 'Sign-in failed',
      retrying: 'The portal may still be starting. Retrying every few seconds.',
      failedAdvice: 'Choose another user, or add this one to the catalog.',
      oidcFailedAdvice:
        'Try again. If it keeps failing, ask an admin to check the portal log: a common cause is that no user in the catalog has this email address.',
      none: 'No sign-in method is configured. An admin can set app.signIn in the portal configuration.',
    },
    notFound: {
      title: 'Page not found',
      heading: 'Page not found',
      description: 'The page was moved or removed, or the address is mistyped.',
      home: 'Go to home',
    },
    nav: {
      label: 'Main navigation',
      skip: 'Skip to content',
      home: 'Slipway home',
      open: 'Open navigation',
      close: 'Close navigation',
      collapse: 'Collapse navigation',
      expand: 'Expand navigation',
      search: 'Search',
      notifications: 'Notifications',
      unread_one: '{{count}} unread',
      unread_other: '{{count}} unread',
      settings: 'Settings of {{name}}',
      groups: {
        catalog: 'Catalog',
        build: 'Build',
        deliver: 'Deliver',
        learn: 'Learn',
        more: 'More',
      },
    },
    search: {
      placeholder: 'Search the catalog or type a command',
      commands: 'Commands',
      command: 'Command',
      idle: 'Type to search. Press Enter for all results.',
      searching: 'Searching',
      none: 'No results.',
      failed: 'Search failed.',
    },
    home: {
      title: 'Home',
      description: 'Your workspaces, what you own and what you starred.',
      owned: {
        title: 'What you own',
        loading: 'Loading what you own',
        error: "Couldn't load what you own",
        emptyTitle: 'You own nothing in the catalog yet',
        emptyText:
          'Components, APIs and systems that you or your groups own appear here.',
        register: 'Register a component',
        all: 'View all in catalog',
      },
      starred: {
        title: 'Starred',
        loading: 'Loading starred pages',
        error: "Couldn't load starred pages",
        emptyTitle: 'Nothing starred yet',
        emptyText: 'Star a catalog page to pin it here.',
        browse: 'Browse the catalog',
      },
    },
  },
});
