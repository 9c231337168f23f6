import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';

/** A change, with its author. */
export interface HistoryEvent {
  /** Increases with time. */
  readonly id: number;
  /** `feature-created`, `feature-updated`, …, `api-token-created`, `api-token-deleted`. */
  readonly type: string;
  /** A flag's name or a token's id. */
  readonly subject: string;
  readonly environment: string | null;
  /** The author: `user:default/ada`, `token:ci` or `configuration`. */
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** The state before; null for a creation. */
  readonly before: object | null;
  /** The state after; null for a deletion. */
  readonly after: object | null;
}

/** Maximum number of flags in one query, within the limits of SQLite. */
const MAX_FLAGS = 500;

interface HistoryRow {
  id: number | string;
  type: string;
  subject: string;
  environment: string | null;
  created_by: string;
  created_at: number | string;
  before: string | null;
  after: string | null;
}

/** Reads the history from the service's database. */
export class History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Lists events, newest first.
   *
   * @param options.subject - only events of this flag or token.
   * @param options.before - only events older than the one with this id: the next page.
   */
  async list(options: {
    limit: number;
    subject?: string;
    before?: number;
  }): Promise<HistoryEvent[]> {
    const { limit, subject, before } = options;
    const query = this.#database
      .knex<HistoryRow>('history')
      .orderBy('id', 'desc')
      .limit(limit);
    if (subject !== undefined) {
      query.where({ subject });
    }
    if (before !== undefined) {
      query.where('id', '<', before);
    }
    return (await query.select()).map(toEvent);
  }

  /** Lists the changes of the first 500 flags in a period, newest first. */
  async changesOf(
    flags: readonly string[],
    { from, to, limit }: { from: number; to: number; limit: number },
  ): Promise<HistoryEvent[]> {
    if (flags.length === 0) {
      return [];
    }
    const rows = await this.#database
      .knex<HistoryRow>('history')
      .whereIn('subject', flags.slice(0, MAX_FLAGS))
      .where('type', 'like', 'feature-%')
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .orderBy('id', 'desc')
      .limit(limit)
      .select();
    return rows.map(toEvent);
  }

  /** Returns the names of flags that were created, imported or restored after a time. */
  async startedSince(time: number): Promise<Set<string>> {
    const rows = await this.#database
      .knex<HistoryRow>('history')
      .whereIn('type', ['feature-created', 'feature-revived'])
      .where('created_at', '>', time)
      .distinct('subject');
    return new Set(rows.map(({ subject }) => subject));
  }

  /** Reads one event; returns undefined if it does not exist. */
  async find(id: number): Promise<HistoryEvent | undefined> {
    const row = await this.#database
      .knex<HistoryRow>('history')
      .where({ id })
      .first();
    return row && toEvent(row);
  }
}

function toEvent(row: HistoryRow): HistoryEvent {
  return {
    id: Number(row.id),
    type: row.type,
    subject: row.subject,
    environment: row.environment,
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}

/** Records a change, in its transaction. */
export async function writeHistory(
  trx: Knex.Transaction,
  event: Omit<HistoryEvent, 'id' | 'before' | 'after'> & {
    before?: object;
    after?: object;
  },
): Promise<void> {
  await trx('history').insert({
    type: event.type,
    subject: event.subject,
    environment: event.environment,
    created_by: event.createdBy,
    created_at: event.createdAt,
    before: event.before ? JSON.stringify(event.before) : null,
    after: event.after ? JSON.stringify(event.after) : null,
  });
}
