import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts of the portal's own pages: sign-in, navigation and home. */
export const appTranslationRef = createTranslationRef({
  id: 'slipway',
  messages: {
    signIn: {
      title: 'Slipway',
      development:
        'Development sign-in: choose who to be. No password is asked.',
      continueAs: 'Continue as {{name}}',
      oidc: 'Sign in with the account that you have at {{title}}.',
      continueWith: 'Continue with {{title}}',
      failed: 'Sign-in did not work',
      retrying:
        'The portal may still be starting. It tries again by itself every few seconds.',
      failedAdvice: 'Choose another user, or add this one to the catalog.',
      oidcFailedAdvice:
        'Try again. If it stays so, an administrator finds the cause in the log of the portal: often there is no user with this e-mail address in the catalog.',
      none: 'No way of signing in is configured. An administrator sets app.signIn in the configuration of the portal.',
    },
    notFound: {
      title: 'No page here',
      heading: 'This address leads nowhere',
      description:
        'The page was moved or removed, or the address has a slip of the pen.',
      home: 'Go home',
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
      placeholder: 'Search the catalog, or type a command',
      commands: 'Commands',
      command: 'Command',
      idle: 'Type to search. Enter opens all results.',
      searching: 'Searching',
      none: 'Nothing found.',
      failed: 'Search did not work.',
    },
    home: {
      title: 'Home',
      description: 'Your workspaces, what you own and what you starred.',
      owned: {
        title: 'What you own',
        loading: 'Loading what you own',
        error: 'What you own could not be read',
        emptyTitle: 'Nothing in the catalog is yours yet',
        emptyText:
          'Components, APIs and systems owned by you or your groups stand here.',
        register: 'Register a component',
        all: 'All in the catalog',
      },
      starred: {
        title: 'Starred',
        loading: 'Loading what you starred',
        error: 'What you starred could not be read',
        emptyTitle: 'No stars yet',
        emptyText: 'Star a catalog page to have it here.',
        browse: 'Browse the catalog',
      },
    },
  },
});
