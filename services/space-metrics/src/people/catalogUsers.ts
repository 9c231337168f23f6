import type { PortalClient } from '@slipway/service-kit';
import { DateTime } from 'luxon';
import { canonicalUserId } from './PersonHasher.ts';
import { normaliseTeam } from './team.ts';

/** What the catalog says of one user. */
export interface DirectoryEntry {
  /** Canonical entity reference, e.g. `user:default/ada`. */
  readonly userRef: string;
  /** The first group that the user is a member of, if any. */
  readonly team?: string;
  /** When the user joined: milliseconds since 1970. */
  readonly startedAt?: number;
}

/** The names by which a forge or a chat knows somebody. */
export interface Alias {
  /** `github`, `gitlab`, … */
  readonly forge?: string;
  readonly login?: string;
  readonly email?: string;
}

/** A user with the names by which forges and commits know the same person. */
export interface CatalogUser extends DirectoryEntry {
  readonly email?: string;
  /** Login by forge. */
  readonly logins: Readonly<Record<string, string>>;
}

/** The day on which somebody joined, `YYYY-MM-DD`, or the time. */
const START_DATE = 'slipway.dev/start-date';

/** The annotations in which the catalog keeps logins, by forge. */
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

/** Reads users out of entities of the catalog; what is no user is left out. */
export function readCatalogUsers(
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
/** One page may take so long: nobody waits for it. */
const TIMEOUT_MS = 15_000;

/**
 * Reads every user of the catalog, page by page: an organisation in one answer is more
 * than the catalog puts together within any time.
 *
 * @returns entities, as the catalog has them.
 * @throws Error when a page is not answered.
 */
export async function readUserPages(
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
    throw new Error('The catalog answered with something that is no page');
  }
  return page;
}
