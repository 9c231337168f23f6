import { randomUUID } from 'node:crypto';
import { type AddressRules, anyAddress } from '@slipway/platform-guards';
import type { Knex } from 'knex';
import { InvalidRequestError } from '../errors/ServiceError.ts';
import { Attempts } from './Attempts.ts';
import { backOff, GIVE_UP_AFTER_MS } from './backOff.ts';
import { sendWebhook } from './sendWebhook.ts';
import type {
  RegisteredEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
} from './Webhook.ts';
import type { WebhookStore } from './WebhookStore.ts';

/** Longer than an attempt can take. */
const LEASE_MS = 60_000;
const POLL_MS = 1_000;
/** How many are taken from the database at once. */
const BATCH = 8;

interface Logger {
  warn(details: object, message: string): void;
}

/**
 * Webhooks out, at least once: an event is written down by the transaction that it
 * tells of, then sent until an endpoint takes it, for a day at most.
 */
export class Outbox {
  readonly #store: WebhookStore;
  readonly #configured: WebhookEndpoint[];
  readonly #rules: AddressRules;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  readonly #attempts = new Attempts();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #woken = false;

  /**
   * @param options.endpoints - those of the configuration, beside the stored ones; where
   *   they are is the operator's choice.
   * @param options.rules - where webhooks may go that were registered.
   */
  constructor(options: {
    store: WebhookStore;
    endpoints: WebhookEndpoint[];
    rules: AddressRules;
    logger: Logger;
    now?: () => number;
  }) {
    this.#store = options.store;
    this.#configured = [...options.endpoints];
    this.#rules = options.rules;
    this.#logger = options.logger;
    this.#now = options.now ?? Date.now;
  }

  /** Adds an endpoint of the service's own making, e.g. of another part of the platform. */
  addEndpoint(endpoint: WebhookEndpoint): void {
    this.#configured.push(endpoint);
  }

  /**
   * Stores an endpoint that somebody asked for. A name is looked at whenever something is
   * sent: where it leads may change.
   *
   * @throws InvalidRequestError naming `url` when nothing may be sent there.
   */
  async register(endpoint: RegisteredEndpoint): Promise<void> {
    const url = URL.parse(endpoint.url);
    if (!url || this.#rules.judge(url) === 'refused') {
      throw new InvalidRequestError(
        'url must not lead into the own network, unless its host is under egress.allowedHosts',
        { field: 'url', constraint: 'format' },
      );
    }
    await this.#store.insertEndpoint(endpoint);
  }

  /**
   * Writes an event down for every endpoint that wants it, in the transaction of the
   * record that it tells of. Nothing is sent if that one rolls back.
   *
   * @param event.payload - serialised once: every attempt sends and signs the same bytes.
   */
  async enqueue(
    trx: Knex.Transaction,
    event: { name: string; payload: object },
  ): Promise<void> {
    const payload = JSON.stringify(event.payload);
    const createdAt = this.#now();
    const endpoints = await this.#endpoints(trx);
    await this.#store.enqueue(
      trx,
      endpoints
        .filter(
          ({ events }) => events.includes('*') || events.includes(event.name),
        )
        .map(({ id }) => ({
          id: randomUUID(),
          endpointId: id,
          event: event.name,
          payload,
          createdAt,
        })),
    );
  }

  /** Starts sending, also what an earlier process left. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS);
    this.wake();
  }

  /** Sends what is due now rather than at the next poll; call it after a commit. */
  wake(): void {
    this.#woken = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Stops sending; an attempt under way is broken off and made again later. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#working;
    await this.#attempts.ended();
  }

  async #work(): Promise<void> {
    try {
      while (this.#woken && !this.#stopping.signal.aborted) {
        this.#woken = false;
        const due = await this.#store.lease({
          now: this.#now(),
          leaseMs: LEASE_MS,
          limit: BATCH,
          except: this.#attempts.busy(),
        });
        this.#woken ||= due.length === BATCH;
        await this.#begin(due);
      }
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Starts attempts without waiting for them: an endpoint that hangs delays no other. */
  async #begin(due: WebhookDelivery[]): Promise<void> {
    if (due.length === 0) {
      return;
    }
    const all = await this.#endpoints();
    const endpoints = new Map(all.map(one => [one.id, one]));
    for (const delivery of due) {
      const { endpointId } = delivery;
      const attempt = this.#attempt(delivery, endpoints.get(endpointId));
      this.#attempts.add(
        endpointId,
        attempt.catch(error => this.#warn(error)),
        () => this.wake(),
      );
    }
  }

  async #attempt(
    delivery: WebhookDelivery,
    endpoint: WebhookEndpoint | undefined,
  ): Promise<void> {
    const outcome = endpoint
      ? await sendWebhook(endpoint, delivery, {
          rules: this.#configured.includes(endpoint) ? anyAddress : this.#rules,
          signal: this.#stopping.signal,
        })
      : {
          delivered: false as const,
          status: null,
          error: 'The endpoint was removed',
        };
    if (this.#stopping.signal.aborted && !outcome.delivered) {
      return;
    }
    const now = this.#now();
    const expired = now - delivery.createdAt >= GIVE_UP_AFTER_MS;
    const retryAt =
      endpoint && !expired ? now + backOff(delivery.attempts + 1) : null;
    await this.#store.settle(delivery.id, outcome, { now, retryAt });
  }

  #warn(error: unknown): void {
    this.#logger.warn({ err: error }, 'Webhooks wait: the outbox failed');
  }

  async #endpoints(trx?: Knex.Transaction): Promise<WebhookEndpoint[]> {
    return [...this.#configured, ...(await this.#store.listEndpoints(trx))];
  }
}
