import { fileURLToPath } from 'node:url';
import knexFactory, { type Knex } from 'knex';
import type { Database } from './openDatabase.ts';

/** The kit's own tables, migrated with `tablePrefix: 'kit_'` before those of the service. */
export const KIT_MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** An arbitrary number that no other advisory lock uses: ASCII of "migr". */
const LOCK = 0x6d696772;

/**
 * Migrates the tables to the latest version. Replicas that start at the same time take turns. The
 * lock belongs to a PostgreSQL session, so it cannot outlive a killed process, unlike the row that
 * knex uses as its lock. A leftover row of that kind is released by the holder of the lock.
 *
 * @param options.directory - the directory with the migrations, one per file.
 * @param options.tablePrefix - prefix of knex's own tables, for databases migrated by several
 *   packages.
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
  if (client === 'sqlite') {
    await run(knex, config);
    return;
  }
  const own = openForMigrations(knex);
  try {
    const holder = await own.client.acquireConnection();
    try {
      await own.raw('SELECT pg_advisory_lock(?)', [LOCK]).connection(holder);
      await run(own, config);
    } finally {
      await own.raw('SELECT pg_advisory_unlock(?)', [LOCK]).connection(holder);
      await own.client.releaseConnection(holder);
    }
  } finally {
    await own.destroy();
  }
}

async function run(knex: Knex, config: Knex.MigratorConfig): Promise<void> {
  await knex.migrate.forceFreeMigrationsLock(config);
  await knex.migrate.latest(config);
}

/**
 * Opens separate connections for migrations. One holds the lock while another migrates, however
 * small the pool is, and neither waiting for the lock nor a large table is subject to the statement
 * timeout of requests.
 */
function openForMigrations(knex: Knex): Knex {
  const { connection, ...config } = knex.client.config as Knex.Config;
  const own: Knex.PgConnectionConfig = {
    ...(connection as Knex.PgConnectionConfig),
    statement_timeout: undefined,
  };
  return knexFactory({
    ...config,
    connection: typeof connection === 'object' ? own : connection,
    pool: { min: 0, max: 2 },
  });
}
