import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts of the general settings, loaded together with them. */
export const settingsTranslationRef = createTranslationRef({
  id: 'slipway.settings',
  messages: {
    account: {
      title: 'Account',
      email: 'Email',
      user: 'Signed in as',
      groups: 'Groups',
      noGroups: 'None',
      loading: 'Loading your account',
      failed: "Couldn't load your account",
      signOut: 'Sign out',
    },
    appearance: {
      title: 'Appearance',
      theme: 'Theme',
      system: 'System',
      language: 'Language',
      sidebar: 'Sidebar',
      pinned: 'Show labels next to icons',
    },
  },
});
