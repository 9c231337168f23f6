import type { PortalClient } from '@slipway/service-kit';
import { nameOfReference, type Profile, type Profiles } from './Profiles.ts';

const KEPT_MS = 5 * 60_000;
/** Without an answer: long enough not to ask a catalog that is down for each submission. */
const FAILED_KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

interface UserEntity {
  spec?: { profile?: { displayName?: unknown; email?: unknown } };
}

/** Users of the portal's catalog, asked for once in five minutes each, sooner after a failure. */
export class CatalogProfiles implements Profiles {
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
