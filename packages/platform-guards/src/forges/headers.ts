/** Forges whose webhooks are understood. */
export const FORGES = ['github', 'gitlab', 'gitea', 'forgejo'] as const;
export type Forge = (typeof FORGES)[number];

/** A header by its name in lower case. An empty one is as good as none: Gitea sends its signature empty where there is no secret. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Headers that name the event, the forge's own first. Gitea sends GitHub's along, and
 * Forgejo those of both.
 */
const EVENT: Readonly<Record<Forge, readonly string[]>> = {
  github: ['x-github-event'],
  gitlab: ['x-gitlab-event'],
  gitea: ['x-gitea-event', 'x-github-event'],
  forgejo: ['x-forgejo-event', 'x-gitea-event', 'x-github-event'],
};

/** Headers that name a delivery, the same when it is sent once more. */
const DELIVERY_ID: Readonly<Record<Forge, readonly string[]>> = {
  github: ['x-github-delivery'],
  // Not X-Gitlab-Event-UUID: hooks that one request sets off share it.
  gitlab: ['webhook-id', 'idempotency-key'],
  gitea: ['x-gitea-delivery'],
  forgejo: ['x-forgejo-delivery', 'x-gitea-delivery'],
};

/** The header in which a forge names the event of a delivery. */
export function eventHeaderOf(forge: Forge): string {
  return EVENT[forge][0];
}

/** What kind of event a delivery tells, in the words of its forge: `push`, `Push Hook`. */
export function eventOf(forge: Forge, header: HeaderOf): string | undefined {
  return firstOf(EVENT[forge], header);
}

/** What the forge calls a delivery, the same when it is sent once more. */
export function deliveryIdOf(
  forge: Forge,
  header: HeaderOf,
): string | undefined {
  return firstOf(DELIVERY_ID[forge], header);
}

/** {@link eventOf} for whichever forge sent it. */
export function anyEventOf(header: HeaderOf): string | undefined {
  return firstOf(Object.values(EVENT).flat(), header);
}

/** {@link deliveryIdOf} for whichever forge sent it. */
export function anyDeliveryIdOf(header: HeaderOf): string | undefined {
  return firstOf(Object.values(DELIVERY_ID).flat(), header);
}

function firstOf(
  names: readonly string[],
  header: HeaderOf,
): string | undefined {
  return names.map(header).find(Boolean);
}
