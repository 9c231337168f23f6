import type { Database } from '@slipway/service-kit';

/** A stored secret; its value is encrypted. */
export interface SecretRecord {
  name: string;
  ciphertext: string;
  jobs: string[];
  branches: string[];
  /** Milliseconds since the Unix epoch. */
  updatedAt: number;
  updatedBy: string;
}

/** Last use of a secret: its time and the build, e.g. `job #1`. */
export interface SecretUse {
  usedAt: number;
  usedBy: string;
}

interface SecretRow {
  name: string;
  ciphertext: string;
  jobs: string;
  branches: string;
  updated_at: number | string;
  updated_by: string;
}

/** Stores encrypted secrets, and when secrets were last used. */
export class SecretStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<SecretRecord[]> {
    const rows: SecretRow[] = await this.#database
      .knex<SecretRow>('secrets')
      .orderBy('name');
    return rows.map(row => ({
      name: row.name,
      ciphertext: row.ciphertext,
      jobs: JSON.parse(row.jobs) as string[],
      branches: JSON.parse(row.branches) as string[],
      updatedAt: Number(row.updated_at),
      updatedBy: row.updated_by,
    }));
  }

  /** Creates or replaces a secret. @returns whether it is new. */
  async put(record: SecretRecord): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const row: SecretRow = {
        name: record.name,
        ciphertext: record.ciphertext,
        jobs: JSON.stringify(record.jobs),
        branches: JSON.stringify(record.branches),
        updated_at: record.updatedAt,
        updated_by: record.updatedBy,
      };
      const { name, ...rest } = row;
      const changed = await trx('secrets').where({ name }).update(rest);
      if (changed > 0) {
        return false;
      }
      await trx('secrets').insert(row).onConflict('name').merge();
      return true;
    });
  }

  /** Deletes a secret. @returns false if there was none. */
  async remove(name: string): Promise<boolean> {
    return this.#database.transaction(async trx => {
      await trx('secret_uses').where({ name }).delete();
      return (await trx('secrets').where({ name }).delete()) > 0;
    });
  }

  async recordUse(names: readonly string[], use: SecretUse): Promise<void> {
    await this.#database.transaction(async trx => {
      // Always in the same order, since builds of replicas may lock the same rows.
      for (const name of [...names].sort()) {
        await trx('secret_uses')
          .insert({ name, used_at: use.usedAt, used_by: use.usedBy })
          .onConflict('name')
          .merge();
      }
    });
  }

  /** Returns the last use of each secret, by its name. */
  async uses(): Promise<Map<string, SecretUse>> {
    const rows: { name: string; used_at: number | string; used_by: string }[] =
      await this.#database.knex('secret_uses');
    return new Map(
      rows.map(row => [
        row.name,
        { usedAt: Number(row.used_at), usedBy: row.used_by },
      ]),
    );
  }
}
