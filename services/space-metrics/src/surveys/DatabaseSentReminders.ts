import type { Database } from '@slipway/service-kit';
import { chunksOf } from '../ledger/chunksOf.ts';
import type { SentReminders } from './SentReminders.ts';

export class DatabaseSentReminders implements SentReminders {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async forget(time: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('pulse_reminders').where('reminded_at', '<=', time).delete(),
    );
  }

  async missing(personHashes: readonly string[]): Promise<string[]> {
    const noted = new Set<string>();
    for (const part of chunksOf(personHashes)) {
      const hashes: string[] = await this.#database
        .knex('pulse_reminders')
        .whereIn('hash', part)
        .pluck('hash');
      hashes.forEach(hash => noted.add(hash));
    }
    return personHashes.filter(hash => !noted.has(hash));
  }

  async claim(personHash: string, now: number): Promise<boolean> {
    // Only rows that were inserted are returned: of two who insert, one gets the row.
    const rows = await this.#database.transaction(trx =>
      trx('pulse_reminders')
        .insert({ hash: personHash, reminded_at: now })
        .onConflict('hash')
        .ignore()
        .returning('hash'),
    );
    return rows.length > 0;
  }

  async giveBack(personHash: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('pulse_reminders').where({ hash: personHash }).delete(),
    );
  }
}
