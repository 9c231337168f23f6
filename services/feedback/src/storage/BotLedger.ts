import type { Database } from '@slipway/service-kit';

/**
 * Longer than an answer takes, including all timeouts: an older claim belongs to a process that
 * died.
 */
const CLAIM_MS = 45_000;
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Records in the service's database which messages have been answered, because platforms resend
 * them.
 */
export class BotLedger {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(options: { database: Database; now: () => number }) {
    this.#database = options.database;
    this.#now = options.now;
  }

  /**
   * Claims a message for answering.
   *
   * @returns false if it has been answered or is being answered.
   */
  async claim(key: string): Promise<boolean> {
    const now = this.#now();
    const claimed = await this.#database.transaction(trx =>
      trx('bot_messages')
        .insert({ key, claimed_at: now })
        .onConflict('key')
        .merge({ claimed_at: now })
        .where('bot_messages.claimed_at', '<=', now - CLAIM_MS)
        .whereNull('bot_messages.answered_at')
        .returning('key'),
    );
    return claimed.length > 0;
  }

  /** Records that a message was answered. */
  async complete(key: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('bot_messages').where({ key }).update({ answered_at: this.#now() }),
    );
  }

  /** Releases a message that could not be answered, so that it can be claimed again immediately. */
  async release(key: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('bot_messages').where({ key }).whereNull('answered_at').delete(),
    );
  }

  /** Deletes messages so old that no platform resends them. */
  async purge(): Promise<void> {
    await this.#database.transaction(trx =>
      trx('bot_messages')
        .where('claimed_at', '<', this.#now() - KEPT_MS)
        .delete(),
    );
  }
}
