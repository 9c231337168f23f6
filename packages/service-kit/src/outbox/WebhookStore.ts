import type { Knex } from 'knex';
import type {
  AttemptOutcome,
  RegisteredEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
} from './Webhook.ts';

/** A store of endpoints and deliveries. */
export interface WebhookStore {
  /** @param trx - to read within it: SQLite has one connection. */
  listEndpoints(trx?: Knex.Transaction): Promise<WebhookEndpoint[]>;
  insertEndpoint(endpoint: RegisteredEndpoint): Promise<void>;
  /** @returns false when there is no such endpoint. */
  removeEndpoint(id: string): Promise<boolean>;
  /** Part of the transaction that it tells of. */
  enqueue(
    trx: Knex.Transaction,
    deliveries: Pick<
      WebhookDelivery,
      'id' | 'endpointId' | 'event' | 'payload' | 'createdAt'
    >[],
  ): Promise<void>;
  /**
   * Takes deliveries that are due, and puts their next attempt off by `leaseMs`:
   * no other worker takes them meanwhile, and one that dies gives them back.
   *
   * @param options.except - endpoints that get none now.
   */
  lease(options: {
    now: number;
    leaseMs: number;
    limit: number;
    except?: readonly string[];
  }): Promise<WebhookDelivery[]>;
  /** Writes down an attempt; `retryAt` null gives the delivery up. */
  settle(
    id: string,
    outcome: AttemptOutcome,
    times: { now: number; retryAt: number | null },
  ): Promise<void>;
  /** The delivery log, newest first. */
  list(options: {
    limit: number;
    endpointId?: string;
  }): Promise<WebhookDelivery[]>;
  /** Forgets deliveries that ended before. @returns how many. */
  purge(endedBefore: number): Promise<number>;
}
