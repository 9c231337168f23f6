import type { Database, Transaction } from '@slipway/service-kit';
import type { DestinationKey } from '../Destination.ts';
import { beginAt, deliveriesOf, whereOf } from './progressRows.ts';

/** Number of deliveries kept per destination. */
const MAX_DELIVERIES = 50;

/** A position among the events of a project in order of arrival. */
export interface Cursor {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly uuid: string;
}

/** The progress of a destination. Times are milliseconds since the Unix epoch. */
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

/** The right to send to a destination until a time, unless it is paused or deleted. */
export interface Lease extends DestinationKey {
  readonly until: number;
}

/** One request to a destination. */
export interface Delivery {
  /** When it ended, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly events: number;
  /** HTTP status of the response; null if there was none. */
  readonly status: number | null;
  /** Why it was not accepted; null if it was accepted. */
  readonly error: string | null;
  readonly durationMs: number;
  /** True if it only carried a test event. */
  readonly isTest: boolean;
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

interface DeliveryRow {
  at: number | string;
  events: number;
  status: number | null;
  error: string | null;
  duration_ms: number;
  is_test: boolean | number;
}

/** Keeps the progress and the last deliveries of destinations in the service's database. */
export class DestinationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(key: DestinationKey): Promise<Progress | undefined> {
    const row: Row | undefined = await this.#database
      .knex('destinations')
      .where(whereOf(key))
      .first();
    return row && toProgress(row);
  }

  /**
   * Leases a destination, so that only one replica sends at a time. A new destination
   * receives the events that arrive from now on.
   * @returns undefined if it is not due, or another replica has leased it.
   */
  async lease(
    key: DestinationKey,
    { now, until }: { now: number; until: number },
  ): Promise<{ lease: Lease; progress: Progress } | undefined> {
    return this.#database.transaction(async trx => {
      await beginAt(trx, key, now);
      const leased = await trx('destinations')
        .where(whereOf(key))
        .where('leased_until', '<=', now)
        .where('next_at', '<=', now)
        .update({ leased_until: until });
      const row: Row | undefined =
        leased === 0
          ? undefined
          : await trx('destinations').where(whereOf(key)).first();
      const { projectId, id } = key;
      return (
        row && { lease: { projectId, id, until }, progress: toProgress(row) }
      );
    });
  }

  /**
   * Records that all events up to a position were received, or skipped if the delivery has
   * an error, and extends the lease.
   * @returns undefined if the lease has ended: the destination was paused or deleted.
   */
  async advance(
    lease: Lease,
    to: { cursor: Cursor; delivery?: Delivery; until: number },
  ): Promise<Lease | undefined> {
    const { cursor, delivery, until } = to;
    return this.#database.transaction(async trx => {
      const advanced = await trx('destinations')
        .where(whereOfLease(lease))
        .update({
          cursor_at: cursor.at,
          cursor_uuid: cursor.uuid,
          ...(delivery && {
            failures: 0,
            last_error: delivery.error,
            ...(delivery.error === null && {
              delivered: trx.raw('delivered + ?', [delivery.events]),
              last_success_at: delivery.at,
            }),
          }),
          leased_until: until,
        });
      if (advanced === 0) {
        return undefined;
      }
      if (delivery) {
        await record(trx, lease, delivery);
      }
      return { ...lease, until };
    });
  }

  /** Records a failed attempt. */
  async fail(
    lease: Lease,
    failure: { error: string; nextAt: number; delivery?: Delivery },
  ): Promise<void> {
    const { error, nextAt, delivery } = failure;
    await this.#database.transaction(async trx => {
      const failed = await trx('destinations')
        .where(whereOfLease(lease))
        .update({
          failures: trx.raw('failures + 1'),
          last_error: error,
          next_at: nextAt,
        });
      if (failed > 0 && delivery) {
        await record(trx, lease, delivery);
      }
    });
  }

  /** Ends all leases, unless other replicas share the database. */
  async releaseAll(): Promise<void> {
    if (this.#database.client === 'sqlite') {
      await this.#database.transaction(trx =>
        trx('destinations').update({ leased_until: 0 }),
      );
    }
  }

  async release(lease: Lease): Promise<void> {
    await this.#database.transaction(trx =>
      trx('destinations')
        .where(whereOfLease(lease))
        .update({ leased_until: 0 }),
    );
  }

  /** Records a test; a successful one makes the next attempt due immediately. */
  async recordTest(key: DestinationKey, delivery: Delivery): Promise<void> {
    await this.#database.transaction(async trx => {
      await record(trx, key, delivery);
      if (delivery.error === null) {
        await trx('destinations').where(whereOf(key)).update({ next_at: 0 });
      }
    });
  }

  /** Lists the last deliveries, newest first. */
  async deliveries(key: DestinationKey): Promise<Delivery[]> {
    const rows: DeliveryRow[] = await this.#database
      .knex('destination_deliveries')
      .where(deliveriesOf(key))
      .orderBy('seq', 'desc')
      .limit(MAX_DELIVERIES);
    return rows.map(row => ({
      at: Number(row.at),
      events: row.events,
      status: row.status,
      error: row.error,
      durationMs: row.duration_ms,
      isTest: Boolean(row.is_test),
    }));
  }
}

async function record(
  trx: Transaction,
  key: DestinationKey,
  delivery: Delivery,
): Promise<void> {
  const { at, events, status, error, durationMs, isTest } = delivery;
  await trx('destination_deliveries').insert({
    ...deliveriesOf(key),
    at,
    events,
    status,
    error,
    duration_ms: durationMs,
    is_test: isTest,
  });
  const oldest: { seq: number } | undefined = await trx(
    'destination_deliveries',
  )
    .where(deliveriesOf(key))
    .orderBy('seq', 'desc')
    .offset(MAX_DELIVERIES)
    .first('seq');
  if (oldest) {
    await trx('destination_deliveries')
      .where(deliveriesOf(key))
      .where('seq', '<=', oldest.seq)
      .delete();
  }
}

function whereOfLease({ until, ...key }: Lease) {
  return { ...whereOf(key), leased_until: until };
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
