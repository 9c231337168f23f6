import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { openDatabase } from '@slipway/portal-kit';
import type { Knex } from 'knex';

/** The plugin's database, open and up to date. */
export type LakeDatabase = Knex;

/** Opens the plugin's database, its tables brought up to date. */
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
