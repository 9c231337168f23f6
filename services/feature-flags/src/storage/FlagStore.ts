import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { type Flag, settingsOf } from '../model/Flag.ts';
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
  /** The caller who did it: `user:default/ada`, `token:ci` or `configuration`. */
  readonly by: string;
}

/** One transaction over flags; no other writer is between its reads and writes. */
export interface FlagTransaction {
  /** Archived ones too. */
  find(name: string): Promise<Flag | undefined>;
  /** Writes the flag, its history and the webhook that tells of it. */
  save(change: FlagChange): Promise<void>;
}

/** The flags that changed since a revision. */
export interface FlagDelta {
  readonly revision: number;
  /** Tells one database from another that counts anew. */
  readonly lineage: string;
  /** Archived ones too: who follows has to forget them. */
  readonly flags: readonly Flag[];
}

/** A flag as it is stored, joined with its environment. PostgreSQL answers bigints as text. */
export interface FlagRow {
  name: string;
  project: string;
  type: string;
  description: string;
  stale: boolean | number;
  impression_data: boolean | number;
  created_at: number | string;
  updated_at: number | string;
  archived_at: number | string | null;
  enabled: boolean | number | null;
  strategies: string | null;
  variants: string | null;
}

/** A flag that has no row for the environment is off in it. */
function toFlag(row: FlagRow): Flag {
  return {
    name: row.name,
    project: row.project,
    type: row.type,
    description: row.description,
    enabled: Boolean(row.enabled),
    stale: Boolean(row.stale),
    impressionData: Boolean(row.impression_data),
    strategies: JSON.parse(row.strategies ?? '[]'),
    variants: JSON.parse(row.variants ?? '[]'),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    archivedAt: row.archived_at === null ? null : Number(row.archived_at),
  };
}

/** What is the same in all environments. */
function flagColumns(flag: Flag, revision: number) {
  return {
    name: flag.name,
    project: flag.project,
    type: flag.type,
    description: flag.description,
    stale: flag.stale,
    impression_data: flag.impressionData,
    created_at: flag.createdAt,
    updated_at: flag.updatedAt,
    archived_at: flag.archivedAt,
    revision,
  };
}

/** What each environment has of its own. */
function environmentColumns(flag: Flag, environment: string) {
  return {
    flag_name: flag.name,
    environment,
    enabled: flag.enabled,
    strategies: JSON.stringify(flag.strategies),
    variants: JSON.stringify(flag.variants),
  };
}

interface FlagStoreOptions {
  database: Database;
  environment: string;
  /** Writes the webhook of a change, in its transaction. */
  tell: (trx: Knex.Transaction, change: FlagChange) => Promise<void>;
}

/** Keeps flags in the service's database, as one environment has them. */
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
        find: name => this.#find(trx, name),
        save: change => this.#save(trx, change),
      });
    });
  }

  find(name: string): Promise<Flag | undefined> {
    return this.#find(this.#options.database.knex, name);
  }

  /** Lists the flags in use, or those archived, by name. */
  async list({ archived }: { archived: boolean }): Promise<Flag[]> {
    const rows = this.#select(this.#options.database.knex).orderBy(
      'flags.name',
    );
    const wanted = archived
      ? rows.whereNotNull('flags.archived_at')
      : rows.whereNull('flags.archived_at');
    return (await wanted).map(toFlag);
  }

  /** Reads everything above a revision; it may hold some that is newer than what it says. */
  async changedSince(revision: number): Promise<FlagDelta> {
    const { knex } = this.#options.database;
    // Before the rows: a change between the two is read again, never missed.
    const { flags: state } = await readRevisions(knex);
    if (state.revision === revision) {
      return { ...state, flags: [] };
    }
    const rows = await this.#select(knex).where(
      'flags.revision',
      '>',
      revision,
    );
    return { ...state, flags: rows.map(toFlag) };
  }

  async #save(trx: Knex.Transaction, change: FlagChange): Promise<void> {
    const { environment, tell } = this.#options;
    const { type, before, after, by } = change;
    const revision = await raiseRevision(trx, 'flags');
    await trx('flags')
      .insert(flagColumns(after, revision))
      .onConflict('name')
      .merge();
    await trx('flag_environments')
      .insert(environmentColumns(after, environment))
      .onConflict(['flag_name', 'environment'])
      .merge();
    await writeHistory(trx, {
      type,
      subject: after.name,
      environment,
      createdBy: by,
      createdAt: after.updatedAt,
      before: before && settingsOf(before),
      after: settingsOf(after),
    });
    await tell(trx, change);
  }

  async #find(knex: Knex, name: string): Promise<Flag | undefined> {
    const row = await this.#select(knex).where('flags.name', name).first();
    return row && toFlag(row);
  }

  #select(knex: Knex) {
    return knex<FlagRow>('flags')
      .leftJoin('flag_environments as own', join =>
        join
          .on('own.flag_name', 'flags.name')
          .andOnVal('own.environment', this.#options.environment),
      )
      .select<FlagRow[]>(
        'flags.*',
        'own.enabled',
        'own.strategies',
        'own.variants',
      );
  }
}
