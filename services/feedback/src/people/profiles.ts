import type { Caller, PortalClient } from '@slipway/service-kit';
import type { Sender } from '../feedback/Feedback.ts';

/** What the catalog says of a user. */
export interface Profile {
  readonly name: string;
  readonly email: string | null;
}

const KEPT_MS = 5 * 60_000;
/** Without an answer: long enough not to ask a catalog that is down for each submission. */
const FAILED_KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

interface UserEntity {
  spec?: { profile?: { displayName?: unknown; email?: unknown } };
}

/** Users of the portal's catalog, asked for once in five minutes each, sooner after a failure. */
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

  /** Never fails: without an answer somebody is called by the reference. */
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
        // A submission must not wait for the catalog, nor be lost to it.
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

/** `ada` of `user:default/ada`. */
function nameOfReference(entityRef: string): string {
  return entityRef.split('/').pop() ?? entityRef;
}

/** What a submission says of its sender. */
export interface ClaimedUser {
  name?: string;
  email?: string;
  anonymous?: boolean;
}

const NOBODY: Sender = {
  author: null,
  name: null,
  email: null,
  anonymous: true,
};

/**
 * Finds out who sends: nobody where that is asked for, else the user of the session, by the
 * catalog's name, else whoever the submission says, which makes nobody an author.
 */
export async function senderOf(
  caller: Caller,
  claimed: ClaimedUser = {},
  profiles: Profiles,
): Promise<Sender> {
  if (claimed.anonymous) {
    return NOBODY;
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
