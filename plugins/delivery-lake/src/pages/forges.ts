import type { Forge } from '@slipway/plugin-delivery-lake-common';

/** The names of the forges. */
export const FORGE_TITLES: Readonly<Record<Forge, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
};

/** Pages of a repository on which webhooks are added, relative to its address. */
export const HOOK_PAGES: Readonly<Record<Forge, string>> = {
  github: 'Settings → Webhooks → Add webhook',
  gitlab: 'Settings → Webhooks → Add new webhook',
  gitea: 'Settings → Webhooks → Add webhook → Gitea',
  forgejo: 'Settings → Webhooks → Add webhook → Forgejo',
};

/** The events to choose, in the words of each forge. */
export const HOOK_EVENTS: Readonly<Record<Forge, string>> = {
  github:
    'Pushes, Pull requests, Deployments, Deployment statuses, Releases, Issues',
  gitlab:
    'Push events, Merge request events, Deployment events, Releases events, Issues events',
  gitea: 'Push, Pull Request, Release, Issues',
  forgejo: 'Push, Pull Request, Release, Issues',
};
