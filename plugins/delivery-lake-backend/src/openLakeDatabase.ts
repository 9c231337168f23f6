import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';
import { exclusiveTransaction } from './database/exclusiveTransaction';
import { isPostgres } from './database/isPostgres';

const MIGRATIONS = resolvePackagePath(
  '@slipway/plugin-delivery-lake-backend',
  'migrations',
);

/** Key of the advisory lock, unlikely to be another's: "migr" in ASCII. */
const MIGRATION_LOCK = 0x6d696772;

/**
 * Brings the tables up to date, one replica after the other: knex fails where two
 * begin at the same time, and a portal that starts would stop at it.
 */
async function migrate(knex: Knex): Promise<void> {
  const run = () => knex.migrate.latest({ directory: MIGRATIONS });
  if (isPostgres(knex)) {
    await exclusiveTransaction(knex, MIGRATION_LOCK, run);
  } else {
    // Its one connection is the one that migrates.
    await run();
  }
}

/** Opens the plugin's database, its tables brought up to date. */
export async function openLakeDatabase(
  database: DatabaseService,
): Promise<Knex> {
  const knex = await database.getClient();
  if (!database.migrations?.skip) {
    await migrate(knex);
  }
  return knex;
}
