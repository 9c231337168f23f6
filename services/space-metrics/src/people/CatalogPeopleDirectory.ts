import type { PortalClient, ServiceKit } from '@slipway/service-kit';
import { PatientCache } from '../portal/PatientCache.ts';
import type { Sourced } from '../portal/Sourced.ts';
import type {
  Alias,
  DirectoryEntry,
  PeopleDirectory,
} from './PeopleDirectory.ts';
import { canonicalUserId } from './PersonHasher.ts';
import { readCatalogUsers, type CatalogUser } from './readCatalogUsers.ts';
import { readUserPages } from './readUserPages.ts';

/** As long as whoever asks waits; what comes later is there for the next. */
const PATIENCE_MS = 4_000;

/** The people of the portal's catalog, read as a whole and kept for minutes. */
export class CatalogPeopleDirectory implements PeopleDirectory {
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

  async everyone(): Promise<readonly DirectoryEntry[] | undefined> {
    const { value, stale } = await this.#read();
    return stale ? undefined : [...new Set(value?.values())];
  }

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

/** By reference, e-mail address and login: whatever a user is known by. */
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
