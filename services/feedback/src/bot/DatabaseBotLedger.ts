import type { Database } from '@slipway/service-kit';
import type { BotLedger } from './BotLedger.ts';

/**
 * Longer than an answer takes with all its time-outs: whoever claimed it and is silent by
 * then is dead.
 */
const CLAIM_MS = 45_000;
const KEPT_MS = 30 * 24 * 3_600_000;

/** Messages of the bot in the service's own database. */
export class DatabaseBotLedger implements BotLedger {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(options: { database: Database; now: () => number }) {
    this.#database = options.database;
    this.#now = options.now;
  }

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

  async settle(key: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('bot_messages').where({ key }).update({ answered_at: this.#now() }),
    );
  }

  async release(key: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('bot_messages').where({ key }).whereNull('answered_at').delete(),
    );
  }

  async purge(): Promise<void> {
    await this.#database.transaction(trx =>
      trx('bot_messages')
        .where('claimed_at', '<', this.#now() - KEPT_MS)
        .delete(),
    );
  }
}
