import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../database/openDatabase.ts';
import { type LeasedItem, LeasedQueue } from '../queue/LeasedQueue.ts';
import { sendWebhook } from './sendWebhook.ts';
import type { WebhookEndpoint, WebhookEndpoints } from './WebhookEndpoints.ts';

/** Longer than any attempt can take. */
const LEASE_MS = 60_000;
/** How many deliveries are leased from the database at a time. */
const BATCH = 8;
/** An endpoint with this many attempts in progress gets no more until one of them ends. */
const BUSY_AT = 4;
/** How long a delivery is retried before giving up. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * A pending or finished delivery of an event to one endpoint. Times are milliseconds since the Unix
 * epoch.
 */
export interface WebhookDelivery {
  /** Sent with every attempt, so that receivers can deduplicate. */
  id: string;
  endpointId: string;
  event: string;
  /** JSON, exactly as it is sent and signed. */
  payload: string;
  state: 'pending' | 'delivered' | 'given_up';
  /** The number of attempts, including the one in progress. */
  attempts: number;
  createdAt: number;
  nextAttemptAt: number;
  deliveredAt: number | null;
  /** HTTP status of the last response; null if there was none. */
  lastStatus: number | null;
  lastError: string | null;
}

/** The payload of a queue item; its lane is the endpoint. */
interface Carried {
  event: string;
  /** JSON text: every attempt sends and signs the same bytes. */
  body: string;
}

const DELIVERY_STATES = {
  waiting: 'pending',
  done: 'delivered',
  failed: 'given_up',
  cancelled: 'given_up',
} as const;

/**
 * Sends webhooks at least once. An event is stored in the transaction that caused it, then sent
 * until the endpoint accepts it, for at most a day.
 */
export class Outbox {
  /** The endpoints that receive webhooks. */
  readonly endpoints: WebhookEndpoints;
  readonly #queue: LeasedQueue<Carried>;
  readonly #logger: { warn(details: object, message: string): void };
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  readonly #underWay = new Map<string, Set<Promise<void>>>();
  #working: Promise<void> | undefined;
  #woken = false;

  constructor(options: {
    database: Database;
    endpoints: WebhookEndpoints;
    logger: { warn(details: object, message: string): void };
    now?: () => number;
  }) {
    const { database, endpoints, logger, now = Date.now } = options;
    this.endpoints = endpoints;
    this.#queue = new LeasedQueue({
      database,
      name: 'webhooks',
      keepsEnded: true,
    });
    this.#logger = logger;
    this.#now = now;
  }

  /**
   * Stores an event for every endpoint subscribed to it, in the transaction of the change that it
   * reports. Nothing is sent if the transaction rolls back.
   *
   * @param event.payload - serialized once.
   */
  async enqueue(
    trx: Knex.Transaction,
    event: { name: string; payload: object },
  ): Promise<void> {
    const body = JSON.stringify(event.payload);
    const createdAt = this.#now();
    const wanting = (await this.endpoints.all(trx)).filter(
      ({ events }) => events.includes('*') || events.includes(event.name),
    );
    await this.#queue.enqueue(
      trx,
      wanting.map(({ id }) => ({
        id: randomUUID(),
        lane: id,
        payload: { event: event.name, body },
        createdAt,
      })),
    );
  }

  /** Lists deliveries, newest first. */
  async deliveries(options: {
    limit: number;
    endpointId?: string;
  }): Promise<WebhookDelivery[]> {
    const items = await this.#queue.list({
      limit: options.limit,
      lane: options.endpointId,
    });
    return items.map(item => {
      const { status = null, error = null } = (item.outcome ?? {}) as {
        status?: number | null;
        error?: string | null;
      };
      return {
        id: item.id,
        endpointId: item.lane,
        event: item.payload.event,
        payload: item.payload.body,
        state: DELIVERY_STATES[item.state],
        attempts: item.attempts,
        createdAt: item.createdAt,
        nextAttemptAt: item.dueAt,
        deliveredAt: item.state === 'done' ? item.endedAt : null,
        lastStatus: status,
        lastError: error,
      };
    });
  }

  /**
   * Deletes finished deliveries that were enqueued before a time.
   *
   * @returns how many were deleted.
   */
  purge(before: number): Promise<number> {
    return this.#queue.purge(before);
  }

  /** Sends due deliveries, including those left by an earlier process; call it after a commit. */
  wake(): void {
    this.#woken = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Stops sending; attempts in progress are aborted and retried later. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
    await Promise.all([...this.#underWay.values()].flatMap(each => [...each]));
  }

  async #work(): Promise<void> {
    try {
      while (this.#woken && !this.#stopping.signal.aborted) {
        this.#woken = false;
        const due = await this.#queue.lease({
          now: this.#now(),
          leaseMs: LEASE_MS,
          limit: BATCH,
          exceptLanes: [...this.#underWay]
            .filter(([, running]) => running.size >= BUSY_AT)
            .map(([id]) => id),
        });
        this.#woken ||= due.length === BATCH;
        await this.#begin(due);
      }
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Starts attempts without waiting for them, so that a slow endpoint does not delay others. */
  async #begin(due: LeasedItem<Carried>[]): Promise<void> {
    if (due.length === 0) {
      return;
    }
    const all = await this.endpoints.all();
    const endpoints = new Map(all.map(one => [one.id, one]));
    for (const item of due) {
      const attempt = this.#attempt(item, endpoints.get(item.lane));
      this.#keep(
        item.lane,
        attempt.catch(error => this.#warn(error)),
      );
    }
  }

  /** Tracks an attempt until it ends; then checks for more work if a busy endpoint became free. */
  #keep(endpointId: string, attempt: Promise<void>): void {
    const running = this.#underWay.get(endpointId) ?? new Set();
    this.#underWay.set(endpointId, running);
    const kept = attempt.then(() => {
      running.delete(kept);
      if (running.size === 0) {
        this.#underWay.delete(endpointId);
      }
      if (running.size === BUSY_AT - 1) {
        this.wake();
      }
    });
    running.add(kept);
  }

  async #attempt(
    item: LeasedItem<Carried>,
    endpoint: WebhookEndpoint | undefined,
  ): Promise<void> {
    if (!endpoint) {
      const outcome = { status: null, error: 'The endpoint was removed' };
      await this.#queue.fail(item, { now: this.#now(), outcome });
      return;
    }
    const { body } = item.payload;
    const prepared = endpoint.prepare
      ? await endpoint.prepare(body)
      : { url: endpoint.url, body };
    if (!prepared) {
      const outcome = { status: null, error: null };
      await this.#queue.complete(item, { now: this.#now(), outcome });
      return;
    }
    const { status, error } = await sendWebhook(
      { ...endpoint, url: prepared.url },
      { id: item.id, event: item.payload.event, body: prepared.body },
      {
        rules: this.endpoints.rulesOf(endpoint),
        signal: this.#stopping.signal,
      },
    );
    const now = this.#now();
    if (error === null) {
      await this.#queue.complete(item, { now, outcome: { status, error } });
    } else if (this.#stopping.signal.aborted) {
      // Aborted by the stop: its lease expires, and another worker retries it.
    } else if (now - item.createdAt >= GIVE_UP_AFTER_MS) {
      await this.#queue.fail(item, { now, outcome: { status, error } });
    } else {
      await this.#queue.retry(item, {
        at: now + backOff(item.attempts),
        outcome: { status, error },
      });
    }
  }

  #warn(error: unknown): void {
    this.#logger.warn(
      { err: error },
      'The outbox failed, webhooks are waiting',
    );
  }
}

/**
 * Returns the milliseconds until the next attempt: doubling from two seconds up to an hour, minus
 * up to a fifth at random, so that deliveries which failed together are not retried together.
 *
 * @param attempts - number of attempts made, at least 1.
 */
export function backOff(attempts: number, random = Math.random): number {
  const pause = Math.min(
    FIRST_PAUSE_MS * 2 ** (attempts - 1),
    LONGEST_PAUSE_MS,
  );
  return Math.round(pause * (1 - random() / 5));
}
