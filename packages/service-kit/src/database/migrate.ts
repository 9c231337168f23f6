import { fileURLToPath } from 'node:url';
import knexFactory, { type Knex } from 'knex';
import type { Database } from './openDatabase.ts';

/** The kit's own tables; they are migrated with `tablePrefix: 'kit_'` before the service's. */
export const KIT_MIGRATIONS = new URL('../../migrations/', import.meta.url);

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
 * Connections of their own: one holds the lock while another migrates, however small the
 * pool is, and neither the wait for a lock nor a large table ends with the time of a
 * statement that answers a request.
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
