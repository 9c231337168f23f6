import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../database/openDatabase.ts';

/** The state of an item; `done`, `failed` and `cancelled` items are not leased. */
type QueueState = 'waiting' | 'done' | 'failed' | 'cancelled';

/** An item of a queue. Times are milliseconds since the Unix epoch. */
export interface QueueItem<P> {
  readonly id: string;
  /** A group of items that a worker can skip, e.g. those for one receiver. */
  readonly lane: string;
  readonly payload: P;
  readonly state: QueueState;
  /** The number of attempts, including the one in progress. */
  readonly attempts: number;
  readonly createdAt: number;
  /** The time from which it can be leased. */
  readonly dueAt: number;
  readonly endedAt: number | null;
  /** The outcome of the last finished attempt. */
  readonly outcome: unknown;
}

/** An item leased by one worker. */
export interface LeasedItem<P> extends QueueItem<P> {
  /** The token of the lease: writes by a worker whose lease expired are rejected. */
  readonly lease: string;
}

interface Row {
  queue: string;
  id: string;
  lane: string;
  payload: string;
  state: QueueState;
  attempts: number;
  created_at: number | string;
  due_at: number | string;
  ended_at: number | string | null;
  lease: string | null;
  outcome: string | null;
}

const TABLE = 'kit_queue';

/**
 * A queue of work in the service's database. An item is enqueued in the transaction that causes it,
 * and leased by one worker at a time. If a worker dies, its lease expires and the item is leased
 * again, so work is done at least once; `attempts` shows that an earlier attempt may have had
 * effects.
 */
export class LeasedQueue<P extends object> {
  readonly #database: Database;
  readonly #name: string;
  readonly #keepsEnded: boolean;

  /**
   * @param options.name - name of the queue; all queues of a service share one table.
   * @param options.keepsEnded - whether finished items are kept as a log until {@link purge};
   *   otherwise they are deleted.
   */
  constructor(options: {
    database: Database;
    name: string;
    keepsEnded?: boolean;
  }) {
    this.#database = options.database;
    this.#name = options.name;
    this.#keepsEnded = options.keepsEnded ?? false;
  }

  /**
   * Adds items. A cancelled item is enqueued again: it keeps its attempts and is due no sooner than
   * its lease ends. An item that is already waiting is not changed.
   */
  async enqueue(
    trx: Knex.Transaction,
    items: readonly {
      id: string;
      /** Defaults to the id. */
      lane?: string;
      payload: P;
      createdAt: number;
      /** Defaults to `createdAt`. */
      dueAt?: number;
    }[],
  ): Promise<void> {
    if (items.length === 0) {
      return;
    }
    await trx<Row>(TABLE)
      .insert(
        items.map(({ id, lane, payload, createdAt, dueAt }) => ({
          queue: this.#name,
          id,
          lane: lane ?? id,
          payload: JSON.stringify(payload),
          state: 'waiting' as const,
          attempts: 0,
          created_at: createdAt,
          due_at: dueAt ?? createdAt,
        })),
      )
      .onConflict(['queue', 'id'])
      .merge({
        state: 'waiting',
        payload: trx.raw('excluded.payload') as unknown as string,
        due_at: trx.raw(
          `CASE WHEN ${TABLE}.lease IS NULL THEN excluded.due_at ELSE ${TABLE}.due_at END`,
        ) as unknown as number,
      })
      .where(`${TABLE}.state`, 'cancelled');
  }

  /**
   * Leases due items, longest overdue first. No other worker gets them for `leaseMs`.
   *
   * @param options.lane - the only lane to lease from; all if undefined.
   * @param options.exceptLanes - lanes to skip.
   */
  async lease(options: {
    now: number;
    leaseMs: number;
    limit: number;
    lane?: string;
    exceptLanes?: readonly string[];
  }): Promise<LeasedItem<P>[]> {
    const { now, leaseMs, limit, lane, exceptLanes = [] } = options;
    return this.#database.transaction(async trx => {
      const due = trx<Row>(TABLE)
        .where({ queue: this.#name, state: 'waiting' })
        .where('due_at', '<=', now)
        .whereNotIn('lane', [...exceptLanes])
        .orderBy(['due_at', 'id'])
        .limit(limit);
      if (lane !== undefined) {
        due.where({ lane });
      }
      if (this.#database.client === 'postgres') {
        due.forUpdate().skipLocked();
      }
      const rows: Row[] = await due;
      if (rows.length === 0) {
        return [];
      }
      const lease = randomUUID();
      const dueAt = now + leaseMs;
      await trx<Row>(TABLE)
        .where({ queue: this.#name })
        .whereIn(
          'id',
          rows.map(({ id }) => id),
        )
        .update({
          lease,
          due_at: dueAt,
          attempts: trx.raw('attempts + 1') as unknown as number,
        });
      return rows.map(row => ({
        ...toItem<P>(row),
        attempts: row.attempts + 1,
        dueAt,
        lease,
      }));
    });
  }

  /**
   * Marks an item as done.
   *
   * @param options.trx - the transaction that stores the result; by default a new one.
   * @returns false if the lease was lost: another worker has the item now or has finished it.
   */
  complete(
    item: LeasedItem<P>,
    options: { now: number; outcome?: object; trx?: Knex.Transaction },
  ): Promise<boolean> {
    return this.#end(item, { ...options, state: 'done' });
  }

  /**
   * Marks an item as failed, so that it is not retried.
   *
   * @returns false if the lease was lost.
   */
  fail(
    item: LeasedItem<P>,
    options: { now: number; outcome?: object; trx?: Knex.Transaction },
  ): Promise<boolean> {
    return this.#end(item, { ...options, state: 'failed' });
  }

  /** Releases an item so that it can be leased again from a given time. */
  async retry(
    item: LeasedItem<P>,
    options: { at: number; outcome?: object },
  ): Promise<boolean> {
    const changed = await this.#database.transaction(trx =>
      this.#held(trx, item).update({
        lease: null,
        due_at: options.at,
        ...outcomeOf(options.outcome),
      }),
    );
    return changed > 0;
  }

  /**
   * Makes failed and waiting items of a lane due immediately, so that they get one more attempt.
   * Items leased by a worker are not changed.
   *
   * @returns the number of items.
   */
  async retryLane(lane: string, now: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx<Row>(TABLE)
        .where({ queue: this.#name, lane, lease: null })
        .whereIn('state', ['waiting', 'failed'])
        .update({ state: 'waiting', due_at: now, ended_at: null }),
    );
  }

  /**
   * Cancels an item, so that it is not leased again. An item that was attempted before keeps its
   * attempts, and its worker may still complete it; any other item is deleted.
   */
  async cancel(trx: Knex.Transaction, id: string): Promise<void> {
    const item = () => trx<Row>(TABLE).where({ queue: this.#name, id });
    await item().where({ attempts: 0 }).delete();
    await item().where({ state: 'waiting' }).update({ state: 'cancelled' });
  }

  /** Lists items, most recently enqueued first. */
  async list(options: {
    limit: number;
    lane?: string;
  }): Promise<QueueItem<P>[]> {
    const query = this.#database
      .knex<Row>(TABLE)
      .where({ queue: this.#name })
      .orderBy('created_at', 'desc')
      .limit(options.limit);
    if (options.lane !== undefined) {
      query.where({ lane: options.lane });
    }
    const rows: Row[] = await query;
    return rows.map(row => toItem<P>(row));
  }

  /**
   * Deletes finished items that were enqueued before a time.
   *
   * @returns how many were deleted.
   */
  async purge(before: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx<Row>(TABLE)
        .where({ queue: this.#name })
        .whereIn('state', ['done', 'failed'])
        .where('created_at', '<', before)
        .delete(),
    );
  }

  async #end(
    item: LeasedItem<P>,
    options: {
      state: 'done' | 'failed';
      now: number;
      outcome?: object;
      trx?: Knex.Transaction;
    },
  ): Promise<boolean> {
    const { state, now, outcome, trx } = options;
    if (!trx) {
      return this.#database.transaction(own =>
        this.#end(item, { ...options, trx: own }),
      );
    }
    const held = this.#held(trx, item);
    const ended = await (this.#keepsEnded
      ? held.update({
          state,
          ended_at: now,
          lease: null,
          ...outcomeOf(outcome),
        })
      : held.delete());
    return ended > 0;
  }

  #held(trx: Knex.Transaction, { id, lease }: LeasedItem<P>) {
    return trx<Row>(TABLE).where({ queue: this.#name, id, lease });
  }
}

function outcomeOf(outcome: object | undefined): { outcome?: string } {
  return outcome ? { outcome: JSON.stringify(outcome) } : {};
}

function toItem<P>(row: Row): QueueItem<P> {
  return {
    id: row.id,
    lane: row.lane,
    payload: JSON.parse(row.payload),
    state: row.state,
    attempts: row.attempts,
    createdAt: Number(row.created_at),
    dueAt: Number(row.due_at),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    outcome: row.outcome === null ? null : JSON.parse(row.outcome),
  };
}
