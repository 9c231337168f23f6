import type { Knex } from 'knex';

/** The database of one service: SQLite by default, PostgreSQL by configuration. */
export interface Database {
  readonly client: 'sqlite' | 'postgres';
  /** Reads; writes go through {@link Database.transaction}. */
  readonly knex: Knex;
  /**
   * Runs a write as one transaction that is durable once it returns. Run again, a
   * few times, where PostgreSQL says that it clashed with another (40001, 40P01):
   * `work` must do nothing but read and write `trx`.
   *
   * @throws DatabaseUnavailableError when the database cannot be reached.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>;
  /** Tells whether it answers within `timeoutMs` (default 1,000). */
  isAlive(timeoutMs?: number): Promise<boolean>;
  close(): Promise<void>;
}
