import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { writeHistory } from './History.ts';
import { lockRevision, raiseRevision } from './revisions.ts';

/** A record about a flag in one environment. Times are milliseconds since the Unix epoch. */
interface EventedRecord {
  readonly id: number;
  readonly flag: string;
  readonly environment: string;
  readonly updatedAt: number;
}

/** An event of a record, and who caused it. */
export interface RecordEvent {
  /** The change, e.g. `created` or `cancelled`: the suffix of the event's type in the history. */
  readonly what: string;
  readonly by: string;
}

/** A filter of records. */
export interface RecordQuery<State extends string> {
  readonly flag?: string;
  readonly environment?: string;
  readonly states?: readonly State[];
  readonly limit: number;
  /** Only records older than the one with this id: the next page. */
  readonly before?: number;
}

/** One transaction over records, isolated from other writers. */
export interface RecordTransaction<T, State extends string> {
  find(id: number): Promise<T | undefined>;
  list(query: RecordQuery<State>): Promise<T[]>;
  insert(record: Omit<T, 'id'>, event: RecordEvent): Promise<T>;
  update(record: T, event: RecordEvent): Promise<T>;
}

/** Called in the transaction of each event, e.g. to enqueue the next step and to report it. */
export type OnRecordEvent<T> = (
  trx: Knex.Transaction,
  record: T,
  event: RecordEvent,
) => Promise<void>;

interface EventedRecordsOptions<T, Row extends object> {
  database: Database;
  table: string;
  /** The prefix of the events' types in the history, e.g. `schedule` of `schedule-paused`. */
  kind: string;
  onEvent: OnRecordEvent<T>;
  toRow: (record: Omit<T, 'id'>) => Partial<Row>;
  fromRow: (row: Row) => T;
  /** The entry in the history; undefined for an event that is not recorded there. */
  historyOf: (record: T, event: RecordEvent) => object | undefined;
}

/**
 * Stores records about flags in a table of the service's database, and their events in the history
 * of their flags.
 */
export class EventedRecords<
  T extends EventedRecord,
  State extends string,
  Row extends object,
> {
  readonly #options: EventedRecordsOptions<T, Row>;

  constructor(options: EventedRecordsOptions<T, Row>) {
    this.#options = options;
  }

  find(id: number): Promise<T | undefined> {
    return this.#find(this.#options.database.knex, id);
  }

  /** Lists records, newest first. */
  list(query: RecordQuery<State>): Promise<T[]> {
    return this.#list(this.#options.database.knex, query);
  }

  transaction<R>(
    work: (
      records: RecordTransaction<T, State>,
      trx: Knex.Transaction,
    ) => Promise<R>,
  ): Promise<R> {
    const { database } = this.#options;
    const { client } = database;
    return database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client });
      return work(this.within(trx), trx);
    });
  }

  /** Reads and writes records in a transaction that has locked the revision of flags. */
  within(trx: Knex.Transaction): RecordTransaction<T, State> {
    const { table, toRow, fromRow } = this.#options;
    return {
      find: id => this.#find(trx, id),
      list: query => this.#list(trx, query),
      insert: async (record, event) => {
        const [row] = await trx(table).insert(toRow(record)).returning('*');
        const created = fromRow(row);
        await this.#record(trx, created, event);
        return created;
      },
      update: async (record, event) => {
        await trx(table).where({ id: record.id }).update(toRow(record));
        await this.#record(trx, record, event);
        return record;
      },
    };
  }

  async #record(
    trx: Knex.Transaction,
    record: T,
    event: RecordEvent,
  ): Promise<void> {
    const { kind, onEvent, historyOf } = this.#options;
    await onEvent(trx, record, event);
    // Pages that follow flags refetch these records too.
    await raiseRevision(trx, 'flags');
    const after = historyOf(record, event);
    if (after) {
      await writeHistory(trx, {
        type: `${kind}-${event.what}`,
        subject: record.flag,
        environment: record.environment,
        createdBy: event.by,
        createdAt: record.updatedAt,
        after,
      });
    }
  }

  async #find(knex: Knex, id: number): Promise<T | undefined> {
    const { table, fromRow } = this.#options;
    const row = await knex(table).where({ id }).first();
    return row && fromRow(row);
  }

  async #list(knex: Knex, query: RecordQuery<State>): Promise<T[]> {
    const { flag, environment, states, limit, before } = query;
    const { table, fromRow } = this.#options;
    const rows = knex(table).orderBy('id', 'desc').limit(limit);
    if (flag !== undefined) {
      rows.where({ flag_name: flag });
    }
    if (environment !== undefined) {
      rows.where({ environment });
    }
    if (states) {
      rows.whereIn('state', [...states]);
    }
    if (before !== undefined) {
      rows.where('id', '<', before);
    }
    return (await rows).map(fromRow);
  }
}
