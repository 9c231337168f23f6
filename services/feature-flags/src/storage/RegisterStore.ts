import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { writeHistory } from './History.ts';
import { lockRevision, raiseRevision } from './revisions.ts';

type Row = Record<string, string | number | boolean | null>;

/** Describes how the records of one kind are stored. */
interface RegisterTable<T> {
  readonly table: string;
  /** The name of the kind in the history: `project`, `environment`, `context-field`. */
  readonly kind: string;
  /** The column of the key. */
  readonly key: string;
  readonly order: readonly string[];
  keyOf(record: T): string;
  toRow(record: T): Row;
  toRecord(row: Row): T;
  /** Deletes what depends on a record. @throws ConflictError if the record is in use. */
  beforeRemoval(trx: Knex.Transaction, key: string): Promise<void>;
}

/** The author and time of a change. */
export interface Authorship {
  readonly by: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** One transaction over the records of a register. */
export interface RegisterTransaction<T> {
  list(): Promise<T[]>;
  /** Adds a record. @returns false if its key exists. */
  insert(record: T, author: Authorship): Promise<boolean>;
}

/**
 * Stores named records, few and rarely changed, in a table of the service's database, and their
 * changes in the history.
 */
export class RegisterStore<T extends object> {
  readonly #database: Database;
  readonly #table: RegisterTable<T>;

  constructor(database: Database, table: RegisterTable<T>) {
    this.#database = database;
    this.#table = table;
  }

  keyOf(record: T): string {
    return this.#table.keyOf(record);
  }

  list(): Promise<T[]> {
    return this.#list(this.#database.knex);
  }

  /** Reads and writes records in a transaction. */
  within(trx: Knex.Transaction): RegisterTransaction<T> {
    return {
      list: () => this.#list(trx),
      insert: (record, author) => this.#insert(trx, record, author),
    };
  }

  async find(key: string): Promise<T | undefined> {
    return this.#find(this.#database.knex, key);
  }

  /** Adds a record. @returns false if its key exists. */
  insert(record: T, author: Authorship): Promise<boolean> {
    return this.#change(trx => this.#insert(trx, record, author));
  }

  /** Changes a record with a function. @returns undefined if it does not exist. */
  async update(
    key: string,
    change: (record: T) => T,
    author: Authorship,
  ): Promise<T | undefined> {
    const { table, key: column, toRow } = this.#table;
    return this.#change(async trx => {
      const before = await this.#find(trx, key);
      if (!before) {
        return undefined;
      }
      const after = change(before);
      await trx(table)
        .where({ [column]: key })
        .update(toRow(after));
      await this.#tell(trx, 'updated', author, { subject: key, before, after });
      return after;
    });
  }

  /**
   * Deletes a record.
   *
   * @returns undefined if it does not exist.
   * @throws ConflictError if it is in use.
   */
  async remove(key: string, author: Authorship): Promise<T | undefined> {
    const { table, key: column, beforeRemoval } = this.#table;
    return this.#change(async trx => {
      const before = await this.#find(trx, key);
      if (!before) {
        return undefined;
      }
      await beforeRemoval(trx, key);
      await trx(table)
        .where({ [column]: key })
        .delete();
      await this.#tell(trx, 'deleted', author, { subject: key, before });
      return before;
    });
  }

  /** Increments the revision of flags, so that pages on all replicas show the change. */
  #change<R>(work: (trx: Knex.Transaction) => Promise<R>): Promise<R> {
    const { client } = this.#database;
    return this.#database.transaction(async trx => {
      // Locked before the record: changes of flags lock in the same order.
      await lockRevision(trx, { subject: 'flags', client });
      const result = await work(trx);
      await raiseRevision(trx, 'flags');
      return result;
    });
  }

  async #list(knex: Knex): Promise<T[]> {
    const { table, order, toRecord } = this.#table;
    const rows: Row[] = await knex(table)
      .orderBy([...order])
      .select();
    return rows.map(toRecord);
  }

  async #insert(
    trx: Knex.Transaction,
    record: T,
    author: Authorship,
  ): Promise<boolean> {
    const { table, key, keyOf, toRow } = this.#table;
    const inserted: Row[] = await trx(table)
      .insert({ ...toRow(record), created_at: author.now })
      .onConflict(key)
      .ignore()
      .returning(key);
    if (inserted.length === 0) {
      return false;
    }
    await this.#tell(trx, 'created', author, {
      subject: keyOf(record),
      after: record,
    });
    return true;
  }

  async #find(knex: Knex, key: string): Promise<T | undefined> {
    const { table, key: column, toRecord } = this.#table;
    const row: Row | undefined = await knex(table)
      .where({ [column]: key })
      .first();
    return row && toRecord(row);
  }

  #tell(
    trx: Knex.Transaction,
    what: string,
    { by, now }: Authorship,
    change: { subject: string; before?: T; after?: T },
  ): Promise<void> {
    const { kind } = this.#table;
    const { subject, before, after } = change;
    return writeHistory(trx, {
      type: `${kind}-${what}`,
      // Prefixed, because flags may have any name.
      subject: `${kind}:${subject}`.slice(0, 100),
      environment: null,
      createdBy: by,
      createdAt: now,
      before,
      after,
    });
  }
}
