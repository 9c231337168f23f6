/** Forges with supported webhooks. */
export const FORGES = ['github', 'gitlab', 'gitea', 'forgejo'] as const;
export type Forge = (typeof FORGES)[number];

/** The names of the forges, as people write them. */
export const FORGE_TITLES: Readonly<Record<Forge, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
};

/** Incident trackers with supported webhooks. */
const TRACKERS = ['pagerduty', 'jira'] as const;
export type Tracker = (typeof TRACKERS)[number];

/** All senders whose webhooks are supported. */
export const SENDERS = [...FORGES, ...TRACKERS] as const;
export type Sender = Forge | Tracker;

/** The names of the senders, as people write them. */
export const SENDER_TITLES: Readonly<Record<Sender, string>> = {
  ...FORGE_TITLES,
  pagerduty: 'PagerDuty',
  jira: 'Jira',
};

/**
 * Reads a header by its lower-case name. An empty header counts as missing: Gitea sends an empty
 * signature if there is no secret.
 */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Headers that name the event, the forge's own first. Gitea also sends GitHub's, and Forgejo those
 * of both.
 */
const EVENT: Readonly<Record<Forge, readonly string[]>> = {
  github: ['x-github-event'],
  gitlab: ['x-gitlab-event'],
  gitea: ['x-gitea-event', 'x-github-event'],
  forgejo: ['x-forgejo-event', 'x-gitea-event', 'x-github-event'],
};

/** Headers that identify a delivery, unchanged when it is resent. */
const DELIVERY_ID: Readonly<Record<Forge, readonly string[]>> = {
  github: ['x-github-delivery'],
  // Not X-Gitlab-Event-UUID: it is shared by all hooks that one request triggers.
  gitlab: ['webhook-id', 'idempotency-key'],
  gitea: ['x-gitea-delivery'],
  forgejo: ['x-forgejo-delivery', 'x-gitea-delivery'],
};

/** The same for trackers, whose events are named in the body. */
const TRACKER_DELIVERY_ID: Readonly<Record<Tracker, readonly string[]>> = {
  pagerduty: ['x-webhook-id'],
  jira: ['x-atlassian-webhook-identifier'],
};

/** Returns the name of the header with the event of a delivery. */
export function eventHeaderOf(forge: Forge): string {
  return EVENT[forge][0];
}

/** Returns the event of a delivery as its forge names it: `push`, `Push Hook`. */
export function eventOf(forge: Forge, header: HeaderOf): string | undefined {
  return firstOf(EVENT[forge], header);
}

/** Returns the sender's id of a delivery, which is unchanged when it is resent. */
export function deliveryIdOf(
  sender: Sender,
  header: HeaderOf,
): string | undefined {
  const names = { ...DELIVERY_ID, ...TRACKER_DELIVERY_ID };
  return firstOf(names[sender], header);
}

/** Like {@link eventOf}, for any forge. */
export function anyEventOf(header: HeaderOf): string | undefined {
  return firstOf(Object.values(EVENT).flat(), header);
}

/** Like {@link deliveryIdOf}, for any forge. */
export function anyDeliveryIdOf(header: HeaderOf): string | undefined {
  return firstOf(Object.values(DELIVERY_ID).flat(), header);
}

function firstOf(
  names: readonly string[],
  header: HeaderOf,
): string | undefined {
  return names.map(header).find(Boolean);
}
