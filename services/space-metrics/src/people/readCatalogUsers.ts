import { DateTime } from 'luxon';
import type { DirectoryEntry } from './PeopleDirectory.ts';
import { canonicalUserId } from './PersonHasher.ts';
import { normaliseTeam } from './team.ts';

/** A user with the names by which forges and commits know the same person. */
export interface CatalogUser extends DirectoryEntry {
  readonly email?: string;
  /** Login by forge. */
  readonly logins: Readonly<Record<string, string>>;
}

/** The day on which somebody joined, `YYYY-MM-DD`, or the time. */
const START_DATE = 'slipway.dev/start-date';

/** Where the catalog keeps logins. */
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
