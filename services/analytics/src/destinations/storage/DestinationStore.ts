import type { Database } from '@slipway/service-kit';

/** A place among the events of a project, in the order of their arrival. */
export interface Cursor {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly uuid: string;
}

/** How far a destination has received events. Times are milliseconds since the Unix epoch. */
export interface Progress {
  readonly cursor: Cursor;
  readonly delivered: number;
  /** Number of failures since the last success. */
  readonly failures: number;
  readonly lastError?: string;
  readonly lastSuccessAt?: number;
  /** When the next attempt is due. */
  readonly nextAt: number;
}

interface Row {
  cursor_at: number | string;
  cursor_uuid: string;
  delivered: number | string;
  failures: number;
  last_error: string | null;
  last_success_at: number | string | null;
  next_at: number | string;
}

/** Names a destination. */
interface Key {
  readonly projectId: string;
  readonly id: string;
}

/** Keeps the progress of destinations in the service's database. */
export class DestinationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(key: Key): Promise<Progress | undefined> {
    const row: Row | undefined = await this.#database
      .knex('destinations')
      .where(whereOf(key))
      .first();
    return row && toProgress(row);
  }

  /**
   * Leases a destination, so that one replica sends at a time; a new one begins now.
   * @returns undefined if it is not due, or leased by another.
   */
  async lease(
    key: Key,
    { now, until }: { now: number; until: number },
  ): Promise<Progress | undefined> {
    return this.#database.transaction(async trx => {
      await trx('destinations')
        .insert({
          ...whereOf(key),
          cursor_at: now,
          cursor_uuid: '',
          delivered: 0,
          failures: 0,
          next_at: 0,
          leased_until: 0,
        })
        .onConflict(['project_id', 'id'])
        .ignore();
      const leased = await trx('destinations')
        .where(whereOf(key))
        .where('leased_until', '<=', now)
        .where('next_at', '<=', now)
        .update({ leased_until: until });
      const row: Row | undefined =
        leased === 0
          ? undefined
          : await trx('destinations').where(whereOf(key)).first();
      return row && toProgress(row);
    });
  }

  /** Records that everything up to a place was received, and extends the lease. */
  async advance(
    key: Key,
    to: { cursor: Cursor; events: number; now: number; until: number },
  ): Promise<void> {
    const { cursor, events, now, until } = to;
    await this.#database.transaction(trx =>
      trx('destinations')
        .where(whereOf(key))
        .update({
          cursor_at: cursor.at,
          cursor_uuid: cursor.uuid,
          delivered: trx.raw('delivered + ?', [events]),
          ...(events > 0 && {
            failures: 0,
            last_error: null,
            last_success_at: now,
          }),
          leased_until: until,
        }),
    );
  }

  async fail(
    key: Key,
    { error, nextAt }: { error: string; nextAt: number },
  ): Promise<void> {
    await this.#database.transaction(trx =>
      trx('destinations')
        .where(whereOf(key))
        .update({
          failures: trx.raw('failures + 1'),
          last_error: error,
          next_at: nextAt,
        }),
    );
  }

  /** Ends all leases, unless other replicas share the database. */
  async releaseAll(): Promise<void> {
    if (this.#database.client === 'sqlite') {
      await this.#database.transaction(trx =>
        trx('destinations').update({ leased_until: 0 }),
      );
    }
  }

  async release(key: Key): Promise<void> {
    await this.#database.transaction(trx =>
      trx('destinations').where(whereOf(key)).update({ leased_until: 0 }),
    );
  }
}

function whereOf({ projectId, id }: Key) {
  return { project_id: projectId, id };
}

function toProgress(row: Row): Progress {
  return {
    cursor: { at: Number(row.cursor_at), uuid: row.cursor_uuid },
    delivered: Number(row.delivered),
    failures: row.failures,
    ...(row.last_error !== null && { lastError: row.last_error }),
    ...(row.last_success_at !== null && {
      lastSuccessAt: Number(row.last_success_at),
    }),
    nextAt: Number(row.next_at),
  };
}
