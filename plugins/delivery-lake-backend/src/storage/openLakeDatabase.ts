import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { openDatabase } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';

/** The plugin's database, migrated. */
export type LakeDatabase = Knex;

/** Opens the plugin's database and runs its migrations. */
export async function openLakeDatabase(
  database: DatabaseService,
): Promise<Knex> {
  return openDatabase({
    database,
    migrations: resolvePackagePath(
      '@slipway/plugin-delivery-lake-backend',
      'migrations',
    ),
  });
}
