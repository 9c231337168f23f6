import type { Forge, Sender } from '@slipway/plugin-delivery-lake-common';

/** The names of the forges. */
export const FORGE_TITLES: Readonly<Record<Forge, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
};

/** A system that reports only incidents. */
export type Tracker = Exclude<Sender, Forge>;

/** The names of the incident trackers. */
export const TRACKER_TITLES: Readonly<Record<Tracker, string>> = {
  pagerduty: 'PagerDuty',
  jira: 'Jira',
};

/** The names of everything that can be connected. */
export const SENDER_TITLES: Readonly<Record<Sender, string>> = {
  ...FORGE_TITLES,
  ...TRACKER_TITLES,
};

/** Returns whether a sender reports only incidents. */
export function isTracker(sender: Sender): sender is Tracker {
  return Object.hasOwn(TRACKER_TITLES, sender);
}

/** The menu path to the page for adding webhooks, in a repository or a tracker. */
export const HOOK_PAGES: Readonly<Record<Sender, string>> = {
  github: 'Settings → Webhooks → Add webhook',
  gitlab: 'Settings → Webhooks → Add new webhook',
  gitea: 'Settings → Webhooks → Add webhook → Gitea',
  forgejo: 'Settings → Webhooks → Add webhook → Forgejo',
  pagerduty: 'Integrations → Generic Webhooks (v3) → New Webhook',
  jira: 'Settings → System → WebHooks → Create a WebHook',
};

/** The events to select, as named by each sender. */
export const HOOK_EVENTS: Readonly<Record<Sender, string>> = {
  github:
    'Pushes, Pull requests, Deployments, Deployment statuses, Releases, Issues',
  gitlab:
    'Push events, Merge request events, Deployment events, Releases events, Issues events',
  gitea: 'Push, Pull Request, Release, Issues',
  forgejo: 'Push, Pull Request, Release, Issues',
  pagerduty:
    'incident.triggered, incident.acknowledged, incident.unacknowledged, incident.resolved, incident.reopened, incident.priority_updated, incident.service_updated',
  jira: 'Issue: created, updated, deleted',
};
