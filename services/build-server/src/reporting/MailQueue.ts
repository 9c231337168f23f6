import { randomUUID } from 'node:crypto';
import {
  backOff,
  type Database,
  type LeasedItem,
  LeasedQueue,
  type Transaction,
} from '@slipway/service-kit';
import type { Mail, MailFailure, MailTransport } from './mailTransport.ts';

/** Mails sent at a time. */
const BATCH = 4;
/** Longer than any attempt takes. */
const LEASE_MS = 60_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/**
 * Sends mails at least once, each stored in the transaction that caused it. The receiver's server
 * can recognize duplicates by their `Message-ID`. A mail is given up immediately if the server
 * refuses it permanently, otherwise after a day.
 */
export class MailQueue {
  readonly #queue: LeasedQueue<Mail>;
  readonly #transport: MailTransport;
  readonly #logger: { warn(details: object, message: string): void };
  readonly #now: () => number;

  constructor(options: {
    database: Database;
    transport: MailTransport;
    logger: { warn(details: object, message: string): void };
    now: () => number;
  }) {
    this.#queue = new LeasedQueue({ database: options.database, name: 'mail' });
    this.#transport = options.transport;
    this.#logger = options.logger;
    this.#now = options.now;
  }

  /** Stores mails in the transaction that causes them. */
  async enqueue(trx: Transaction, mails: readonly Mail[]): Promise<void> {
    const createdAt = this.#now();
    await this.#queue.enqueue(
      trx,
      mails.map(payload => ({ id: randomUUID(), payload, createdAt })),
    );
  }

  /** Sends the mails that are due. */
  async work(signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted;) {
      const due = await this.#queue.lease({
        now: this.#now(),
        leaseMs: LEASE_MS,
        limit: BATCH,
      });
      await Promise.all(due.map(item => this.#attempt(item, signal)));
      isMore = due.length === BATCH;
    }
  }

  async #attempt(item: LeasedItem<Mail>, signal: AbortSignal): Promise<void> {
    const failure = await this.#transport.send(item.id, item.payload, signal);
    const now = this.#now();
    if (failure === undefined) {
      await this.#queue.complete(item, { now });
      return;
    }
    if (signal.aborted) {
      // Its lease expires, and another process sends it.
      return;
    }
    if (failure.isFinal || now - item.createdAt >= GIVE_UP_AFTER_MS) {
      this.#warn(failure, 'A mail was given up');
      await this.#queue.fail(item, { now });
      return;
    }
    if (item.attempts === 1) {
      this.#warn(failure, 'A mail was not taken, and is sent again');
    }
    await this.#queue.retry(item, { at: now + backOff(item.attempts) });
  }

  #warn({ reason }: MailFailure, message: string): void {
    this.#logger.warn({ reason }, message);
  }
}
