import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import type { Database } from '../database/openDatabase.ts';
import { KIT_MIGRATIONS } from '../database/migrate.ts';

/**
 * Creates the tables of an earlier version by running the migrations up to a given one. The kit's
 * tables, which a service's migrations depend on, get the same version.
 *
 * @param options.last - the last migration to run, as the start of its file name, e.g.
 *   `20261121000000`.
 * @param options.directory - the migrations of a service; by default, only those of the kit run.
 */
export async function migrateUpTo(
  { knex }: Pick<Database, 'knex'>,
  options: { last: string; directory?: URL },
): Promise<void> {
  const { last, directory } = options;
  await run(knex, { last, directory: KIT_MIGRATIONS, tablePrefix: 'kit_' });
  if (directory) {
    await run(knex, { last, directory, tablePrefix: '' });
  }
}

async function run(
  knex: Knex,
  options: { last: string; directory: URL; tablePrefix: string },
): Promise<void> {
  const { last, directory, tablePrefix } = options;
  const files = await readdir(fileURLToPath(directory));
  await knex.migrate.latest({
    tableName: `${tablePrefix}knex_migrations`,
    migrationSource: {
      getMigrations: async () =>
        files.filter(file => file.slice(0, last.length) <= last).sort(),
      getMigrationName: (file: string) => file,
      getMigration: (file: string) => import(new URL(file, directory).href),
    },
  });
}
