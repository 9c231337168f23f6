import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import knexFactory, { type Knex } from 'knex';
import type { Database } from './openDatabase.ts';

/** The kit's own tables, migrated with `tablePrefix: 'kit_'` before those of the service. */
export const KIT_MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** An arbitrary number that no other advisory lock uses: ASCII of "migr". */
const LOCK = 0x6d696772;

const EXTENSIONS = ['.ts', '.js'];

/**
 * Migrates the tables to the latest version. If there is anything to do, it runs under a lock, so
 * that replicas that start at the same time take turns. The lock belongs to a PostgreSQL session
 * and therefore cannot outlive a killed process, unlike the row that knex uses as its lock. The
 * lock holder releases any such row that was left behind.
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
  const config = {
    directory: fileURLToPath(options.directory),
    tableName: `${options.tablePrefix ?? ''}knex_migrations`,
    loadExtensions: EXTENSIONS,
  };
  if (await isMigrated(knex, config)) {
    return;
  }
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

/**
 * Checks whether all migrations have run and no process is migrating or has died while migrating.
 */
async function isMigrated(
  knex: Knex,
  options: { directory: string; tableName: string },
): Promise<boolean> {
  const { directory, tableName } = options;
  let done: string[];
  try {
    done = await knex(tableName).pluck('name');
    if (await knex(`${tableName}_lock`).first().where({ is_locked: 1 })) {
      return false;
    }
  } catch {
    // The tables do not exist yet. Any other failure is reported by the migration.
    return false;
  }
  const files = (await readdir(directory)).filter(file =>
    EXTENSIONS.includes(path.extname(file)),
  );
  return isDeepStrictEqual(done.sort(), files.sort());
}

async function run(knex: Knex, config: Knex.MigratorConfig): Promise<void> {
  await knex.migrate.forceFreeMigrationsLock(config);
  await knex.migrate.latest(config);
}

/**
 * Opens separate connections for migrations. However small the pool is, one connection can hold the
 * lock while another migrates, and neither waiting for the lock nor migrating a large table is
 * subject to the statement timeout of requests.
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
