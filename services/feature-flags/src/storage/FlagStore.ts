import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  type Flag,
  type FlagState,
  settingsOf,
  stateOf,
  traitsOf,
} from '../model/Flag.ts';
import { writeHistory } from './History.ts';
import { lockRevision, raiseRevision, readRevisions } from './revisions.ts';

/** What happened, in the words of Unleash's events; webhooks go by the same names. */
export type FlagEventType =
  | 'feature-created'
  | 'feature-updated'
  | 'feature-archived'
  | 'feature-revived';

/** A change of one flag, with what it was. */
export interface FlagChange {
  readonly type: FlagEventType;
  readonly before: Flag | undefined;
  readonly after: Flag;
  /** The environment that was changed, or from which what all share was. */
  readonly environment: string;
  /** The caller who did it: `user:default/ada`, `token:ci` or `configuration`. */
  readonly by: string;
}

/** One transaction over flags; no other writer is between its reads and writes. */
export interface FlagTransaction {
  /** Archived ones too. */
  find(name: string): Promise<Flag | undefined>;
  /**
   * Writes the flag, its history and the webhook that tells of it.
   *
   * @returns it with its new revisions.
   */
  save(change: FlagChange): Promise<Flag>;
}

/** The flags that changed since a revision. */
export interface FlagDelta {
  readonly revision: number;
  /** Tells one database from another that counts anew. */
  readonly lineage: string;
  /** Archived ones too: who follows has to forget them. */
  readonly flags: readonly Flag[];
}

/** What all environments share of a flag, as it is stored. PostgreSQL answers bigints as text. */
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
}

/** A flag joined with one of its environments; nulls where it has none. */
interface JoinedRow extends FlagRow {
  environment: string | null;
  enabled: boolean | number;
  strategies: string;
  variants: string;
  state_revision: number | string;
}

/** Joins the rows of one flag, of which there is one for each environment. */
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

interface FlagStoreOptions {
  database: Database;
  /** Writes the webhook of a change, in its transaction. */
  tell: (trx: Knex.Transaction, change: FlagChange) => Promise<void>;
}

/** Keeps flags, in all environments, in the service's database. */
export class FlagStore {
  readonly #options: FlagStoreOptions;

  constructor(options: FlagStoreOptions) {
    this.#options = options;
  }

  /** Resolves once all of it is on disk; nothing of it is where `work` throws. */
  transaction<T>(work: (trx: FlagTransaction) => Promise<T>): Promise<T> {
    const { database } = this.#options;
    return database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client: database.client });
      return work({
        find: name => findFlag(trx, name),
        save: change => this.#save(trx, change),
      });
    });
  }

  find(name: string): Promise<Flag | undefined> {
    return findFlag(this.#options.database.knex, name);
  }

  /** Lists the flags in use, or those archived, by name. */
  async list(query: { archived: boolean; project?: string }): Promise<Flag[]> {
    const { archived, project } = query;
    const rows = joined(this.#options.database.knex);
    if (project !== undefined) {
      rows.where({ project });
    }
    return toFlags(
      await (archived
        ? rows.whereNotNull('archived_at')
        : rows.whereNull('archived_at')),
    );
  }

  /** Reads everything above a revision; it may hold some that is newer than what it says. */
  async changedSince(revision: number): Promise<FlagDelta> {
    const { knex } = this.#options.database;
    // Before the rows: a change between the two is read again, never missed.
    const { flags: state } = await readRevisions(knex);
    if (state.revision === revision) {
      return { ...state, flags: [] };
    }
    const rows = await joined(knex).where('flags.revision', '>', revision);
    return { ...state, flags: toFlags(rows) };
  }

  async #save(trx: Knex.Transaction, change: FlagChange): Promise<Flag> {
    const { type, before, after, environment, by } = change;
    const latest = await raiseRevision(trx, 'flags');
    const isShared = !before || isSharedChange(before, after);
    const changed = Object.keys(after.states).filter(
      name =>
        !before ||
        !isDeepStrictEqual(stateOf(before, name), stateOf(after, name)),
    );
    const saved: Flag = {
      ...after,
      revisions: {
        latest,
        shared: isShared ? latest : before.revisions.shared,
        states: {
          ...before?.revisions.states,
          ...Object.fromEntries(changed.map(name => [name, latest])),
        },
      },
    };
    await trx('flags').insert(flagColumns(saved)).onConflict('name').merge();
    if (changed.length > 0) {
      await trx('flag_environments')
        .insert(changed.map(name => stateColumns(saved, name)))
        .onConflict(['flag_name', 'environment'])
        .merge();
    }
    await writeHistory(trx, {
      type,
      subject: saved.name,
      environment,
      createdBy: by,
      createdAt: saved.updatedAt,
      before: before && settingsOf(before, environment),
      after: settingsOf(saved, environment),
    });
    await this.#options.tell(trx, { ...change, after: saved });
    return saved;
  }
}

/** Tells whether a change is seen in all environments. */
function isSharedChange(before: Flag, after: Flag): boolean {
  return (
    before.archivedAt !== after.archivedAt ||
    before.project !== after.project ||
    !isDeepStrictEqual(traitsOf(before), traitsOf(after))
  );
}

function flagColumns(flag: Flag) {
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
  };
}

function stateColumns(flag: Flag, environment: string) {
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

async function findFlag(knex: Knex, name: string): Promise<Flag | undefined> {
  const [flag] = toFlags(await joined(knex).where('flags.name', name));
  return flag;
}

/** Reads flags with all their environments in one statement: both are of one moment. */
function joined(knex: Knex) {
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

/** Reads rows that are in the order of their flags. */
function toFlags(rows: readonly JoinedRow[]): Flag[] {
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
