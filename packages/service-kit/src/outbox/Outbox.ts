import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../database/openDatabase.ts';
import { type LeasedItem, LeasedQueue } from '../queue/LeasedQueue.ts';
import {
  type QueuedEvent,
  toDelivery,
  type WebhookDelivery,
} from './WebhookDelivery.ts';
import type { AttemptOutcome } from './attemptRequest.ts';
import { sendWebhook } from './sendWebhook.ts';
import type { WebhookEndpoint, WebhookEndpoints } from './WebhookEndpoints.ts';

/** Longer than any attempt takes, so that no other worker sends the delivery meanwhile. */
const LEASE_MS = 60_000;
/** Number of deliveries that are leased from the database at a time. */
const BATCH = 8;
/** An endpoint with this many attempts in progress gets no more until one of them ends. */
const BUSY_AT = 4;
/** Time for which a delivery is retried before giving up. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** Number of recent deliveries that determine the state of an endpoint. */
const RECENT = 50;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** The results of the last deliveries to an endpoint. */
export interface EndpointProgress {
  /** The end of the last attempt, in milliseconds since the Unix epoch; null if there was none. */
  readonly lastAt: number | null;
  /** Why the last attempt failed; null if it succeeded. */
  readonly error: string | null;
  /** Failed attempts since the last success. */
  readonly failures: number;
}

/**
 * Sends webhooks at least once. An event is stored in the transaction that caused it, then sent
 * until the endpoint accepts it, for at most a day.
 */
export class Outbox {
  /** The endpoints that receive webhooks. */
  readonly endpoints: WebhookEndpoints;
  readonly #queue: LeasedQueue<QueuedEvent>;
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
   * @param event.to - ids of the endpoints that get it, instead of those subscribed to it.
   */
  async enqueue(
    trx: Knex.Transaction,
    event: { name: string; payload: object; to?: readonly string[] },
  ): Promise<void> {
    const body = JSON.stringify(event.payload);
    const createdAt = this.#now();
    const receivers = event.to ?? (await this.#subscribers(trx, event.name));
    await this.#queue.enqueue(
      trx,
      receivers.map(lane => ({
        id: randomUUID(),
        lane,
        payload: { event: event.name, body },
        createdAt,
      })),
    );
  }

  async #subscribers(trx: Knex.Transaction, name: string): Promise<string[]> {
    return (await this.endpoints.all(trx))
      .filter(({ events }) => events.includes('*') || events.includes(name))
      .map(({ id }) => id);
  }

  /**
   * Makes one attempt to send an event to an endpoint, e.g. to test it. Nothing is stored and
   * nothing is retried.
   */
  async sendOnce(
    endpoint: WebhookEndpoint,
    event: { name: string; payload: object },
  ): Promise<AttemptOutcome> {
    const body = JSON.stringify(event.payload);
    return this.#send(endpoint, { id: randomUUID(), event: event.name, body });
  }

  /**
   * Resends everything that an endpoint has not accepted. Deliveries that were given up get a
   * single attempt.
   *
   * @returns the number of deliveries; undefined if there is no such endpoint.
   */
  async redeliver(endpointId: string): Promise<number | undefined> {
    const endpoints = await this.endpoints.all();
    if (!endpoints.some(({ id }) => id === endpointId)) {
      return undefined;
    }
    const count = await this.#queue.retryLane(endpointId, this.#now());
    this.wake();
    return count;
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
    return items.map(toDelivery);
  }

  /** Returns the results of the last deliveries to an endpoint. */
  async progressOf(endpointId: string): Promise<EndpointProgress> {
    const recent = await this.deliveries({ limit: RECENT, endpointId });
    const attempted = recent
      .map(delivery => ({ ...delivery, at: delivery.attemptedAt ?? 0 }))
      .filter(({ at }) => at > 0)
      .sort((one, other) => other.at - one.at);
    const received = attempted.findIndex(({ state }) => state === 'delivered');
    const failed = received === -1 ? attempted : attempted.slice(0, received);
    const [last] = attempted;
    return {
      lastAt: last?.at ?? null,
      error: last?.lastError ?? null,
      failures: failed.reduce((sum, { attempts }) => sum + attempts, 0),
    };
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
  async #begin(due: LeasedItem<QueuedEvent>[]): Promise<void> {
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

  /** Tracks an attempt until it ends, then looks for more work if that frees a busy endpoint. */
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
    item: LeasedItem<QueuedEvent>,
    endpoint: WebhookEndpoint | undefined,
  ): Promise<void> {
    if (!endpoint) {
      const now = this.#now();
      const error = 'The endpoint was removed';
      await this.#queue.fail(item, {
        now,
        outcome: { status: null, error, at: now },
      });
      return;
    }
    const { status, error } = await this.#send(endpoint, {
      id: item.id,
      ...item.payload,
    });
    const now = this.#now();
    const outcome = { status, error, at: now };
    if (error === null) {
      await this.#queue.complete(item, { now, outcome });
    } else if (this.#stopping.signal.aborted) {
      // Aborted by `stop`: the lease expires, and another worker retries the delivery.
    } else if (now - item.createdAt >= GIVE_UP_AFTER_MS) {
      await this.#queue.fail(item, { now, outcome });
    } else {
      await this.#queue.retry(item, {
        at: now + backOff(item.attempts),
        outcome,
      });
    }
  }

  /** Makes one attempt, unless the endpoint's `prepare` returns that there is nothing to send. */
  async #send(
    endpoint: WebhookEndpoint,
    { id, event, body }: { id: string } & QueuedEvent,
  ): Promise<AttemptOutcome> {
    try {
      const prepared = endpoint.prepare
        ? await endpoint.prepare(body)
        : { url: endpoint.url, body };
      if (!prepared) {
        return { status: null, error: null };
      }
      return await sendWebhook(
        { ...endpoint, url: prepared.url },
        { id, event, body: prepared.body },
        {
          rules: this.endpoints.rulesOf(endpoint),
          signal: this.#stopping.signal,
        },
      );
    } catch (error) {
      // Counts as an attempt, so that the pauses grow and it is eventually given up.
      this.#warn(error);
      return { status: null, error: 'The request could not be built' };
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
