import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';

const MIGRATIONS = resolvePackagePath(
  '@slipway/plugin-delivery-lake-backend',
  'migrations',
);

/** Opens the plugin's database, its tables brought up to date. */
export async function openLakeDatabase(
  database: DatabaseService,
): Promise<Knex> {
  const knex = await database.getClient();
  if (!database.migrations?.skip) {
    await knex.migrate.latest({ directory: MIGRATIONS });
  }
  return knex;
}
