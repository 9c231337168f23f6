import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import type { Database } from './Database.ts';

/** Any number that no other use of advisory locks takes: ASCII of "migr". */
const LOCK = 0x6d696772;

/**
 * Brings the tables up to date. Replicas that start at once take turns: the lock
 * belongs to a PostgreSQL session and cannot outlive a killed process, as the row
 * that knex locks with can; that row is freed by who holds the lock.
 *
 * @param options.directory - where the migrations are, one file each.
 * @param options.tablePrefix - of knex' own tables, where several packages migrate one database.
 */
export async function migrate(
  database: Pick<Database, 'client' | 'knex'>,
  options: { directory: URL; tablePrefix?: string },
): Promise<void> {
  const { client, knex } = database;
  const config: Knex.MigratorConfig = {
    directory: fileURLToPath(options.directory),
    tableName: `${options.tablePrefix ?? ''}knex_migrations`,
    loadExtensions: ['.ts', '.js'],
  };
  const run = async () => {
    await knex.migrate.forceFreeMigrationsLock(config);
    await knex.migrate.latest(config);
  };
  if (client === 'sqlite') {
    await run();
    return;
  }
  const holder = await knex.client.acquireConnection();
  try {
    await knex.raw('SELECT pg_advisory_lock(?)', [LOCK]).connection(holder);
    await run();
  } finally {
    await knex.raw('SELECT pg_advisory_unlock(?)', [LOCK]).connection(holder);
    await knex.client.releaseConnection(holder);
  }
}
