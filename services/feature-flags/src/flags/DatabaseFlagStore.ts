import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { writeHistory } from '../history/writeHistory.ts';
import { lockRevision, raiseRevision, readRevisions } from '../revisions.ts';
import { type Flag, settingsOf } from './Flag.ts';
import {
  environmentColumns,
  flagColumns,
  type FlagRow,
  toFlag,
} from './flagRows.ts';
import type {
  FlagChange,
  FlagDelta,
  FlagStore,
  FlagTransaction,
} from './FlagStore.ts';

/** Flags in the service's database, as one environment has them. */
export class DatabaseFlagStore implements FlagStore {
  readonly #database: Database;
  readonly #environment: string;
  readonly #tell: (trx: Knex.Transaction, change: FlagChange) => Promise<void>;

  /** @param options.tell - writes the webhook of a change, in its transaction. */
  constructor(options: {
    database: Database;
    environment: string;
    tell: (trx: Knex.Transaction, change: FlagChange) => Promise<void>;
  }) {
    this.#database = options.database;
    this.#environment = options.environment;
    this.#tell = options.tell;
  }

  transaction<T>(work: (trx: FlagTransaction) => Promise<T>): Promise<T> {
    const { client } = this.#database;
    return this.#database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client });
      return work({
        find: name => this.#find(trx, name),
        save: change => this.#save(trx, change),
      });
    });
  }

  find(name: string): Promise<Flag | undefined> {
    return this.#find(this.#database.knex, name);
  }

  async list({ archived }: { archived: boolean }): Promise<Flag[]> {
    const rows = this.#select(this.#database.knex).orderBy('flags.name');
    const wanted = archived
      ? rows.whereNotNull('flags.archived_at')
      : rows.whereNull('flags.archived_at');
    return (await wanted).map(toFlag);
  }

  async changedSince(revision: number): Promise<FlagDelta> {
    const { knex } = this.#database;
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
    const { type, before, after, by } = change;
    const revision = await raiseRevision(trx, 'flags');
    await trx('flags')
      .insert(flagColumns(after, revision))
      .onConflict('name')
      .merge();
    await trx('flag_environments')
      .insert(environmentColumns(after, this.#environment))
      .onConflict(['flag_name', 'environment'])
      .merge();
    await writeHistory(trx, {
      type,
      subject: after.name,
      environment: this.#environment,
      createdBy: by,
      createdAt: after.updatedAt,
      before: before && settingsOf(before),
      after: settingsOf(after),
    });
    await this.#tell(trx, change);
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
          .andOnVal('own.environment', this.#environment),
      )
      .select<FlagRow[]>(
        'flags.*',
        'own.enabled',
        'own.strategies',
        'own.variants',
      );
  }
}
