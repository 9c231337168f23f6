import type { Database } from '../database/openDatabase.ts';

const TABLE = 'kit_credential_uses';

/**
 * Remembers when each credential was last used. A use costs a request no more than an entry in
 * memory; {@link CredentialUses.store} writes them down from time to time.
 */
export class CredentialUses {
  readonly #database: Database;
  readonly #now: () => number;
  #fresh = new Map<string, number>();

  constructor(options: { database: Database; now: () => number }) {
    this.#database = options.database;
    this.#now = options.now;
  }

  /** @param credential - identifies the credential without revealing it; at most 100 characters. */
  note(credential: string): void {
    this.#fresh.set(credential, this.#now());
  }

  /** Writes down the uses since the last call, unless another replica has a later one. */
  async store(): Promise<void> {
    const uses = [...this.#fresh].sort();
    this.#fresh = new Map();
    if (uses.length === 0) {
      return;
    }
    try {
      await this.#database.transaction(async trx => {
        for (const [credential, at] of uses) {
          await trx(TABLE)
            .insert({ credential, used_at: at })
            .onConflict('credential')
            .merge()
            .where(`${TABLE}.used_at`, '<', at);
        }
      });
    } catch (error) {
      // The next call writes them down, with what was used since.
      this.#fresh = new Map([...uses, ...this.#fresh]);
      throw error;
    }
  }

  /** Returns the last use of every credential, in milliseconds since the Unix epoch. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const rows: { credential: string; used_at: number | string }[] =
      await this.#database.knex(TABLE).select();
    const stored = rows.map(
      row => [row.credential, Number(row.used_at)] as const,
    );
    // What this process has not written down yet is the latest.
    return new Map([...stored, ...this.#fresh]);
  }
}
