import { DatabaseService } from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';
import { exclusiveTransaction, isPostgres } from './exclusiveTransaction';

/** Key of the advisory lock, unlikely to be another's: "migr" in ASCII. */
const MIGRATION_LOCK = 0x6d696772;

/**
 * Opens a plugin's database with its tables brought up to date, one replica after
 * the other: knex fails where two begin at the same time, and a portal that starts
 * would stop at it. Needs a pool of at least two connections on PostgreSQL.
 *
 * @param options.migrations - absolute path of the directory.
 * @param options.migrationsTable - where a module notes its own, beside its plugin's.
 */
export async function openDatabase(options: {
  database: DatabaseService;
  migrations: string;
  migrationsTable?: string;
}): Promise<Knex> {
  const { database, migrations, migrationsTable } = options;
  const knex = await database.getClient();
  if (database.migrations?.skip) {
    return knex;
  }
  const migrate = () =>
    knex.migrate.latest({
      directory: migrations,
      ...(migrationsTable && { tableName: migrationsTable }),
    });
  if (isPostgres(knex)) {
    await exclusiveTransaction(knex, MIGRATION_LOCK, migrate);
  } else {
    // Its one connection is the one that migrates.
    await migrate();
  }
  return knex;
}
