import type { Database } from '@slipway/service-kit';

interface CacheRow {
  id: number;
  job: string;
  scope: string;
  name: string;
  key: string;
  size: number | string;
  created_at: number | string;
  used_at: number | string;
}

/** A cache of a job. */
export interface StoredCache {
  id: number;
  scope: string;
  key: string;
  /** Bytes. */
  size: number;
}

/** Stores the list of caches; their content is in files. Times are milliseconds since the Unix epoch. */
export class CacheStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Finds a cache: the one with the exact key in the first scope that has it, otherwise the newest
   * with the name in the first scope that has any.
   */
  async find(
    job: string,
    wanted: { name: string; key: string; scopes: readonly string[] },
  ): Promise<StoredCache | undefined> {
    const { name, key, scopes } = wanted;
    const rows = await this.#database
      .knex<CacheRow, CacheRow[]>('caches')
      .where({ job, name })
      .whereIn('scope', [...scopes])
      .orderBy('created_at', 'desc')
      .limit(500);
    const inScope = (scope: string) => rows.filter(row => row.scope === scope);
    const found =
      scopes.flatMap(inScope).find(row => row.key === key) ??
      scopes.flatMap(inScope)[0];
    return found && { ...found, size: Number(found.size) };
  }

  async touch(id: number, usedAt: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('caches').where({ id }).update({ used_at: usedAt }),
    );
  }

  /** Adds a cache. @returns its id; undefined if it already exists, since caches are never replaced. */
  async add(
    job: string,
    cache: { scope: string; name: string; key: string; size: number },
    now: number,
  ): Promise<number | undefined> {
    const [row] = await this.#database.transaction(
      trx =>
        trx<CacheRow>('caches')
          .insert({ job, ...cache, created_at: now, used_at: now })
          .onConflict(['job', 'scope', 'name', 'key'])
          .ignore()
          .returning('id') as unknown as Promise<{ id: number }[]>,
    );
    return row?.id;
  }

  /** Lists unused caches, and those over the quota of their job, least recently used first. */
  async listExpired(bounds: {
    usedBefore: number;
    quotaBytes: number;
  }): Promise<number[]> {
    const rows = await this.#database
      .knex<CacheRow, CacheRow[]>('caches')
      .orderBy('used_at', 'desc')
      .select('id', 'job', 'size', 'used_at');
    const used = new Map<string, number>();
    return rows
      .filter(({ job, size, used_at }) => {
        const total = (used.get(job) ?? 0) + Number(size);
        used.set(job, total);
        return total > bounds.quotaBytes || Number(used_at) < bounds.usedBefore;
      })
      .map(({ id }) => id);
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#database.transaction(trx =>
      trx('caches')
        .whereIn('id', [...ids])
        .delete(),
    );
  }

  async listIds(): Promise<number[]> {
    const rows = await this.#database
      .knex<CacheRow, { id: number }[]>('caches')
      .select('id');
    return rows.map(({ id }) => id);
  }
}
