import type { Database } from '../database/openDatabase.ts';

const TABLE = 'kit_credential_uses';

/**
 * Remembers when each credential was last used. A use costs a request no more than an entry in
 * memory; {@link CredentialUses.store} writes them to the database from time to time.
 */
export class CredentialUses {
  readonly #database: Database;
  readonly #now: () => number;
  /** The uses that are not stored yet. */
  readonly #fresh = new Map<string, number>();

  constructor(options: { database: Database; now: () => number }) {
    this.#database = options.database;
    this.#now = options.now;
  }

  /** @param credential - identifies the credential without revealing it; at most 100 characters. */
  note(credential: string): void {
    this.#fresh.set(credential, this.#now());
  }

  /** Stores the uses since the last call, unless another replica has a later one. */
  async store(): Promise<void> {
    // Sorted, so that replicas never wait for each other's rows.
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
      // One that was used again in the meantime is stored by the next call.
      if (this.#fresh.get(credential) === at) {
        this.#fresh.delete(credential);
      }
    }
  }

  /** Returns the last use of every credential, in milliseconds since the Unix epoch. */
  async all(): Promise<ReadonlyMap<string, number>> {
    // Before the query: a use that is stored during it is then in one of the two.
    const last = new Map(this.#fresh);
    const rows: { credential: string; used_at: number | string }[] =
      await this.#database.knex(TABLE).select();
    for (const { credential, used_at: at } of rows) {
      last.set(credential, Math.max(Number(at), last.get(credential) ?? 0));
    }
    return last;
  }
}
