import type { PortalClient } from '../portal/PortalClient.ts';
import { nameOfReference, type Profile, type Profiles } from './Profiles.ts';

const KEPT_MS = 5 * 60_000;
const KEPT_AT_MOST = 10_000;

interface UserEntity {
  spec?: { profile?: { displayName?: unknown; email?: unknown } };
}

/** Users of the portal's catalog, asked for once in five minutes each. */
export class CatalogProfiles implements Profiles {
  readonly #portal: PortalClient;
  readonly #now: () => number;
  readonly #kept = new Map<
    string,
    { until: number; profile: Promise<Profile> }
  >();

  constructor(options: { portal: PortalClient; now: () => number }) {
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
    const profile = this.#fetch(entityRef);
    this.#kept.set(entityRef, { until: this.#now() + KEPT_MS, profile });
    return profile;
  }

  async #fetch(entityRef: string): Promise<Profile> {
    const name = nameOfReference(entityRef);
    try {
      const [kind, rest] = entityRef.split(':');
      const entity = (await this.#portal.get(
        `/api/catalog/entities/by-name/${kind}/${rest}`,
      )) as UserEntity;
      const { displayName, email } = entity.spec?.profile ?? {};
      return {
        name: typeof displayName === 'string' ? displayName : name,
        email: typeof email === 'string' ? email : null,
      };
    } catch {
      // A submission must not wait for the catalog, nor be lost to it.
      return { name, email: null };
    }
  }
}
