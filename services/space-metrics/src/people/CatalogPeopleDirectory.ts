import type { PortalClient, ServiceKit } from '@slipway/service-kit';
import { DateTime } from 'luxon';
import {
  type Sourced,
  StaleIfErrorCache,
} from '../portal/StaleIfErrorCache.ts';
import { canonicalUserId } from './person.ts';
import { normaliseTeam } from './team.ts';

/** A user as described in the catalog. */
interface DirectoryEntry {
  /** Canonical entity reference, e.g. `user:default/ada`. */
  readonly userRef: string;
  /** The first group that the user is a member of, if any. */
  readonly team?: string;
  /** Time at which the user joined, in milliseconds since 1970. */
  readonly startedAt?: number;
}

/** A name by which a forge or a chat knows a user. */
interface Alias {
  /** `github`, `gitlab`, … */
  readonly forge?: string;
  readonly login?: string;
  readonly email?: string;
}

/** A user with their names in forges and commits. */
interface CatalogUser extends DirectoryEntry {
  readonly email?: string;
  /** Login by forge. */
  readonly logins: Readonly<Record<string, string>>;
}

/** Annotation with the day on which a user joined, `YYYY-MM-DD`, or the time. */
const START_DATE = 'slipway.dev/start-date';

/** The catalog annotations with logins, by forge. */
const LOGINS: Readonly<Record<string, string>> = {
  github: 'github.com/user-login',
  gitlab: 'gitlab.com/user-login',
  gitea: 'gitea.com/user-login',
  forgejo: 'forgejo.org/user-login',
};

interface Entity {
  metadata?: {
    name?: unknown;
    namespace?: unknown;
    annotations?: Record<string, unknown>;
  };
  spec?: { memberOf?: unknown; profile?: { email?: unknown } };
  relations?: { type?: unknown; targetRef?: unknown }[];
}

/** Reads users from catalog entities; skips all other entities. */
function readCatalogUsers(
  entities: readonly unknown[],
  options: { timeZone: string },
): CatalogUser[] {
  return entities.flatMap(
    entity => readUser(entity as Entity | null, options) ?? [],
  );
}

function readUser(
  entity: Entity | null,
  options: { timeZone: string },
): CatalogUser | undefined {
  const { metadata = {}, spec = {}, relations = [] } = entity ?? {};
  const { name, namespace = 'default', annotations = {} } = metadata;
  if (typeof name !== 'string') {
    return undefined;
  }
  const related = relations.find(({ type }) => type === 'memberOf')?.targetRef;
  const group = Array.isArray(spec.memberOf) ? spec.memberOf[0] : undefined;
  const team = group ?? related;
  const email = spec.profile?.email;
  const started = DateTime.fromISO(String(annotations[START_DATE]), {
    zone: options.timeZone,
  });
  return {
    userRef: canonicalUserId(`user:${namespace}/${name}`),
    ...(typeof team === 'string' && { team: normaliseTeam(team) }),
    ...(typeof email === 'string' && { email }),
    ...(started.isValid && { startedAt: started.toMillis() }),
    logins: Object.fromEntries(
      Object.entries(LOGINS).flatMap(([forge, annotation]) => {
        const login = annotations[annotation];
        return typeof login === 'string' ? [[forge, login]] : [];
      }),
    ),
  };
}

const PATH = '/api/catalog/entities/by-query';
const FIELDS =
  'kind,metadata.name,metadata.namespace,metadata.annotations,spec.memberOf,spec.profile.email,relations';
const PAGE_SIZE = 500;
/** Timeout for reading a page, in milliseconds; no caller waits for it. */
const TIMEOUT_MS = 15_000;

/**
 * Reads all users of the catalog, page by page: the catalog cannot return a whole organisation in
 * one response within a reasonable time.
 *
 * @returns entities as returned by the catalog.
 * @throws Error if a page cannot be read.
 */
async function readUserPages(
  portal: PortalClient,
): Promise<readonly unknown[]> {
  const users: unknown[] = [];
  let from: Record<string, string> = { filter: 'kind=user' };
  for (;;) {
    const query = new URLSearchParams({
      ...from,
      fields: FIELDS,
      limit: String(PAGE_SIZE),
    });
    const { items, pageInfo } = readPage(
      await portal.get(`${PATH}?${query}`, { timeoutMs: TIMEOUT_MS }),
    );
    users.push(...items);
    const cursor = pageInfo?.nextCursor;
    if (!cursor) {
      return users;
    }
    from = { cursor };
  }
}

interface Page {
  items: readonly unknown[];
  pageInfo?: { nextCursor?: string };
}

function readPage(answer: unknown): Page {
  const page = answer as Page | null;
  if (!Array.isArray(page?.items)) {
    throw new Error('The catalog returned an invalid page');
  }
  return page;
}

/**
 * Maximum time that callers wait, in milliseconds; a later response is available to the next
 * caller.
 */
const PATIENCE_MS = 4_000;

/**
 * Provides the people in the portal's catalog, which is read as a whole and cached for minutes.
 * While the catalog is not responding, the last people that were read are used, or none.
 */
export class CatalogPeopleDirectory {
  readonly #portal: PortalClient;
  readonly #cache: StaleIfErrorCache;
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
    this.#cache = new StaleIfErrorCache({
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

  /** Returns all users in the catalog; undefined while it is not responding. */
  async everyone(): Promise<readonly DirectoryEntry[] | undefined> {
    const { value, stale } = await this.#read();
    return stale ? undefined : [...new Set(value?.values())];
  }

  /**
   * Returns all users with a start date. Returns the same array until the catalog is read again.
   */
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

/** Indexes users by reference, email address and login. */
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
