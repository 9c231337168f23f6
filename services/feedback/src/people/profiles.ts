import type { Caller, PortalClient } from '@slipway/service-kit';
import type { Sender } from '../feedback/Feedback.ts';

/** A user's profile in the catalog. */
export interface Profile {
  readonly name: string;
  readonly email: string | null;
}

const KEPT_MS = 5 * 60_000;
/**
 * Time for which a failure is cached: long enough not to query an unavailable catalog for every
 * submission.
 */
const FAILED_KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

interface UserEntity {
  spec?: { profile?: { displayName?: unknown; email?: unknown } };
}

/**
 * Reads users from the portal's catalog. Each is cached for five minutes, or less after a failure.
 */
export class Profiles {
  readonly #portal: Pick<PortalClient, 'get'>;
  readonly #now: () => number;
  readonly #kept = new Map<
    string,
    { until: number; profile: Promise<Profile> }
  >();

  constructor(options: {
    portal: Pick<PortalClient, 'get'>;
    now: () => number;
  }) {
    this.#portal = options.portal;
    this.#now = options.now;
  }

  /** Returns a profile. Never fails: without a response, it derives the name from the reference. */
  async of(entityRef: string): Promise<Profile> {
    const kept = this.#kept.get(entityRef);
    if (kept && kept.until > this.#now()) {
      return kept.profile;
    }
    if (this.#kept.size >= KEPT_AT_MOST) {
      this.#kept.clear();
    }
    const entry: { until: number; profile: Promise<Profile> } = {
      until: this.#now() + KEPT_MS,
      profile: this.#fetch(entityRef).catch(() => {
        // A submission must neither wait for the catalog nor fail because of it.
        entry.until = this.#now() + FAILED_KEPT_MS;
        return { name: nameOfReference(entityRef), email: null };
      }),
    };
    this.#kept.set(entityRef, entry);
    return entry.profile;
  }

  async #fetch(entityRef: string): Promise<Profile> {
    const [kind, rest] = entityRef.split(':');
    const entity = (await this.#portal.get(
      `/api/catalog/entities/by-name/${kind}/${rest}`,
    )) as UserEntity;
    const { displayName, email } = entity.spec?.profile ?? {};
    return {
      name:
        typeof displayName === 'string'
          ? displayName
          : nameOfReference(entityRef),
      email: typeof email === 'string' ? email : null,
    };
  }
}

/** Returns the name in a reference, e.g. `ada` of `user:default/ada`. */
function nameOfReference(entityRef: string): string {
  return entityRef.split('/').pop() ?? entityRef;
}

/** The sender according to the submission. */
export interface ClaimedUser {
  name?: string;
  email?: string;
  anonymous?: boolean;
}

const ANONYMOUS: Sender = {
  author: null,
  name: null,
  email: null,
  anonymous: true,
};

/**
 * Determines the sender of a submission. An anonymous one has none. Otherwise it is the signed-in
 * user, with the name from the catalog, or else the name in the submission, which does not count as
 * an author.
 */
export async function senderOf(
  caller: Caller,
  claimed: ClaimedUser = {},
  profiles: Profiles,
): Promise<Sender> {
  if (claimed.anonymous) {
    return ANONYMOUS;
  }
  if (caller.kind === 'user') {
    const { name, email } = await profiles.of(caller.id);
    return { author: caller.id, name, email, anonymous: false };
  }
  return {
    author: null,
    name: claimed.name ?? null,
    email: claimed.email ?? null,
    anonymous: false,
  };
}
