import type { PortalClient, ServiceKit } from '@slipway/service-kit';
import { PatientCache, type Sourced } from '../portal/PatientCache.ts';
import { canonicalUserId } from './PersonHasher.ts';
import {
  type Alias,
  type CatalogUser,
  type DirectoryEntry,
  readCatalogUsers,
  readUserPages,
} from './catalogUsers.ts';

/** Whoever asks waits so long at most; what comes later is there for the next. */
const PATIENCE_MS = 4_000;

/**
 * Knows the people of the portal's catalog, which is read as a whole and kept for minutes.
 * Answers from what it knows: where the catalog does not answer, nobody is found, and
 * nothing waits for it.
 */
export class CatalogPeopleDirectory {
  readonly #portal: PortalClient;
  readonly #cache: PatientCache;
  readonly #timeZone: string;
  readonly #joinersOf = new WeakMap<object, readonly DirectoryEntry[]>();

  constructor(options: {
    portal: PortalClient;
    cacheSeconds: number;
    timeZone: string;
    logger: Pick<ServiceKit['logger'], 'warn'>;
    now: () => number;
  }) {
    this.#portal = options.portal;
    this.#timeZone = options.timeZone;
    this.#cache = new PatientCache({
      freshMs: options.cacheSeconds * 1_000,
      patienceMs: PATIENCE_MS,
      onOutage: error =>
        options.logger.warn(
          { err: error },
          'The users of the catalog cannot be read: new ones have no team and get no reminders',
        ),
      now: options.now,
    });
  }

  async find(userId: string): Promise<DirectoryEntry | undefined> {
    return (await this.#index()).get(canonicalUserId(userId));
  }

  async findByAlias(alias: Alias): Promise<DirectoryEntry | undefined> {
    const index = await this.#index();
    const { forge, login, email } = alias;
    return (
      (login && forge && index.get(loginKey(forge, login))) ||
      (email && index.get(canonicalUserId(email))) ||
      (login && index.get(canonicalUserId(login))) ||
      undefined
    );
  }

  /** Everybody, by the catalog as it is now; undefined while it does not answer. */
  async everyone(): Promise<readonly DirectoryEntry[] | undefined> {
    const { value, stale } = await this.#read();
    return stale ? undefined : [...new Set(value?.values())];
  }

  /** Everybody who has a start date: the same list while the catalog was not read anew. */
  async joiners(): Promise<readonly DirectoryEntry[]> {
    const index = await this.#index();
    const known = this.#joinersOf.get(index);
    const joiners =
      known ??
      [...new Set(index.values())].filter(
        ({ startedAt }) => startedAt !== undefined,
      );
    this.#joinersOf.set(index, joiners);
    return joiners;
  }

  async #index(): Promise<ReadonlyMap<string, CatalogUser>> {
    return (await this.#read()).value ?? new Map();
  }

  #read(): Promise<Sourced<ReadonlyMap<string, CatalogUser>>> {
    return this.#cache.get('users', async () =>
      indexUsers(
        readCatalogUsers(await readUserPages(this.#portal), {
          timeZone: this.#timeZone,
        }),
      ),
    );
  }
}

/** Finds users by reference, e-mail address and login: whatever they are known by. */
function indexUsers(users: readonly CatalogUser[]): Map<string, CatalogUser> {
  const index = new Map<string, CatalogUser>();
  for (const user of users) {
    index.set(user.userRef, user);
    if (user.email) {
      index.set(canonicalUserId(user.email), user);
    }
    for (const [forge, login] of Object.entries(user.logins)) {
      index.set(loginKey(forge, login), user);
    }
  }
  return index;
}

function loginKey(forge: string, login: string): string {
  return `${forge} ${login.toLocaleLowerCase('en-US')}`;
}
