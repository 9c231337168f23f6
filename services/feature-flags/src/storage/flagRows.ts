import type { Knex } from 'knex';
import { type Flag, type FlagState, stateOf } from '../model/Flag.ts';

/** The row of a flag: what all environments share. PostgreSQL returns bigints as text. */
interface FlagRow {
  name: string;
  project: string;
  type: string;
  description: string;
  stale: boolean | number;
  impression_data: boolean | number;
  tags: string;
  dependencies: string;
  links: string;
  created_at: number | string;
  updated_at: number | string;
  archived_at: number | string | null;
  revision: number | string;
  shared_revision: number | string;
  left_projects: string;
}

/** A flag joined with one of its environments; null columns if it has none. */
interface JoinedRow extends FlagRow {
  environment: string | null;
  enabled: boolean | number;
  strategies: string;
  variants: string;
  state_revision: number | string;
}

/** Builds a flag from its rows, one for each environment. */
function toFlag([row, ...others]: readonly JoinedRow[]): Flag {
  const states = [row, ...others].flatMap(each =>
    each.environment === null
      ? []
      : [{ ...each, environment: each.environment }],
  );
  return {
    name: row.name,
    project: row.project,
    type: row.type,
    description: row.description,
    stale: Boolean(row.stale),
    impressionData: Boolean(row.impression_data),
    tags: JSON.parse(row.tags),
    dependencies: JSON.parse(row.dependencies),
    links: JSON.parse(row.links),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    archivedAt: row.archived_at === null ? null : Number(row.archived_at),
    states: Object.fromEntries(
      states.map(state => [state.environment, toState(state)]),
    ),
    revisions: {
      latest: Number(row.revision),
      shared: Number(row.shared_revision),
      states: Object.fromEntries(
        states.map(state => [state.environment, Number(state.state_revision)]),
      ),
      left: JSON.parse(row.left_projects),
    },
  };
}

function toState(row: JoinedRow): FlagState {
  return {
    enabled: Boolean(row.enabled),
    strategies: JSON.parse(row.strategies),
    variants: JSON.parse(row.variants),
  };
}

/** Converts what all environments share to a row. */
export function flagColumns(
  flag: Omit<Flag, 'states' | 'revisions'> & {
    revisions: Omit<Flag['revisions'], 'states'>;
  },
) {
  return {
    name: flag.name,
    project: flag.project,
    type: flag.type,
    description: flag.description,
    stale: flag.stale,
    impression_data: flag.impressionData,
    tags: JSON.stringify(flag.tags),
    dependencies: JSON.stringify(flag.dependencies),
    links: JSON.stringify(flag.links),
    created_at: flag.createdAt,
    updated_at: flag.updatedAt,
    archived_at: flag.archivedAt,
    revision: flag.revisions.latest,
    shared_revision: flag.revisions.shared,
    left_projects: JSON.stringify(flag.revisions.left ?? {}),
  };
}

/** Converts the state of a flag in one environment to a row. */
export function stateColumns(flag: Flag, environment: string) {
  const { enabled, strategies, variants } = stateOf(flag, environment);
  return {
    flag_name: flag.name,
    environment,
    enabled,
    strategies: JSON.stringify(strategies),
    variants: JSON.stringify(variants),
    revision: flag.revisions.states[environment],
  };
}

/** Finds a flag, including archived ones. */
export async function findFlag(
  knex: Knex,
  name: string,
): Promise<Flag | undefined> {
  const [flag] = toFlags(await joined(knex).where('flags.name', name));
  return flag;
}

/** Lists flags by name; by default including archived ones. */
export async function listFlags(
  knex: Knex,
  { archived, project }: { archived?: boolean; project?: string },
): Promise<Flag[]> {
  const rows = joined(knex);
  if (project !== undefined) {
    rows.where({ project });
  }
  if (archived !== undefined) {
    void (archived
      ? rows.whereNotNull('archived_at')
      : rows.whereNull('archived_at'));
  }
  return toFlags(await rows);
}

/** Reads flags with all their environments in one statement, so that they are consistent. */
export function joined(knex: Knex) {
  return knex('flags')
    .leftJoin('flag_environments as own', 'own.flag_name', 'flags.name')
    .orderBy(['flags.name', 'own.environment'])
    .select<JoinedRow[]>(
      'flags.*',
      'own.environment',
      'own.enabled',
      'own.strategies',
      'own.variants',
      'own.revision as state_revision',
    );
}

/** Builds flags from rows that are sorted by flag. */
export function toFlags(rows: readonly JoinedRow[]): Flag[] {
  const groups: JoinedRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0].name === row.name) {
      last.push(row);
    } else {
      groups.push([row]);
    }
  }
  return groups.map(toFlag);
}
