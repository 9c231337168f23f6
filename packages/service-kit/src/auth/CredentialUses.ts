import type { Database } from '../database/openDatabase.ts';

const TABLE = 'kit_credential_uses';

/**
 * Remembers when each credential was last used. Noting a use only changes a map in memory;
 * {@link CredentialUses.store} writes the changes to the database.
 */
export class CredentialUses {
  readonly #database: Database;
  readonly #now: () => number;
  /** Uses that are not stored yet: the time by credential. */
  readonly #fresh = new Map<string, number>();

  constructor(options: { database: Database; now: () => number }) {
    this.#database = options.database;
    this.#now = options.now;
  }

  /**
   * Records that a credential is used now.
   *
   * @param credential - identifies the credential without revealing it; at most 100 characters.
   */
  note(credential: string): void {
    this.#fresh.set(credential, this.#now());
  }

  /** Stores the uses noted since the last call, unless another replica has stored a later one. */
  async store(): Promise<void> {
    // Sorted, so that replicas lock rows in the same order and cannot deadlock.
    const uses = [...this.#fresh].sort();
    if (uses.length === 0) {
      return;
    }
    await this.#database.transaction(async trx => {
      for (const [credential, at] of uses) {
        await trx(TABLE)
          .insert({ credential, used_at: at })
          .onConflict('credential')
          .merge()
          .where(`${TABLE}.used_at`, '<', at);
      }
    });
    for (const [credential, at] of uses) {
      // If it was used again in the meantime, the next call stores that.
      if (this.#fresh.get(credential) === at) {
        this.#fresh.delete(credential);
      }
    }
  }

  /** Returns the last use of every credential, in milliseconds since the Unix epoch. */
  async all(): Promise<ReadonlyMap<string, number>> {
    // Copied before the query, so that uses stored while it runs are not missed.
    const last = new Map(this.#fresh);
    const rows: { credential: string; used_at: number | string }[] =
      await this.#database.knex(TABLE).select();
    for (const { credential, used_at: at } of rows) {
      last.set(credential, Math.max(Number(at), last.get(credential) ?? 0));
    }
    return last;
  }
}
