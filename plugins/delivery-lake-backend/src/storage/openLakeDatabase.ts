import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { openDatabase } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';

/** The plugin's migrated database, for code that does not depend on Knex. */
export type LakeDatabase = Knex;

/** Absolute path of the migrations. */
export const LAKE_MIGRATIONS = resolvePackagePath(
  '@slipway/plugin-delivery-lake-backend',
  'migrations',
);

/** Opens the plugin's database and runs its migrations. */
export async function openLakeDatabase(
  database: DatabaseService,
): Promise<Knex> {
  return openDatabase({ database, migrations: LAKE_MIGRATIONS });
}
