import { openLakeDatabase } from '@slipway/plugin-delivery-lake-backend/src/storage/openLakeDatabase';
import type { Knex } from 'knex';
import type { LakeDatabase } from '../databases';
import {
  dialectOf,
  durationStatements,
  factStatements,
  type LakeSize,
  nameStatements,
  recordStatements,
  rollupStatements,
} from './statements';

/** Tables that are so large that their indexes are dropped before they are filled. */
const TABLES = ['deployments', 'changes', 'incidents', 'durations'];

interface Definition {
  drop: string;
  create: string;
}

async function sqliteIndexes(knex: Knex): Promise<Definition[]> {
  const rows: { name: string; sql: string }[] = await knex('sqlite_master')
    .where({ type: 'index' })
    .whereIn('tbl_name', TABLES)
    .whereNotNull('sql')
    .select('name', 'sql');
  return rows.map(({ name, sql }) => ({
    drop: `DROP INDEX "${name}"`,
    create: sql,
  }));
}

async function postgresIndexes(knex: Knex): Promise<Definition[]> {
  const constraints: { name: string; owner: string; definition: string }[] =
    await knex('pg_constraint')
      .whereIn('contype', ['p', 'u'])
      .whereRaw('conrelid::regclass::text = ANY(?)', [TABLES])
      .select({ name: 'conname' })
      .select(
        knex.raw(
          'conrelid::regclass::text AS owner, pg_get_constraintdef(oid) AS definition',
        ),
      );
  const indexes: { indexname: string; indexdef: string }[] = await knex(
    'pg_indexes',
  )
    .whereIn('tablename', TABLES)
    .whereNotIn(
      'indexname',
      constraints.map(({ name }) => name),
    )
    .select('indexname', 'indexdef');
  return [
    ...constraints.map(({ name, owner, definition }) => ({
      drop: `ALTER TABLE ${owner} DROP CONSTRAINT ${name}`,
      create: `ALTER TABLE ${owner} ADD CONSTRAINT ${name} ${definition}`,
    })),
    ...indexes.map(({ indexname, indexdef }) => ({
      drop: `DROP INDEX ${indexname}`,
      create: indexdef,
    })),
  ];
}

/**
 * Drops the indexes of the large tables.
 *
 * @returns the statements that recreate them.
 */
async function dropIndexes(knex: Knex): Promise<string[]> {
  const indexes =
    knex.client.config.client === 'pg'
      ? await postgresIndexes(knex)
      : await sqliteIndexes(knex);
  for (const { drop } of indexes) {
    await knex.raw(drop);
  }
  return indexes.map(({ create }) => create);
}

const LOADED = 'bench.deployments';

/** Returns whether the database contains a complete lake of this size. */
export async function isLoaded(
  { knex }: LakeDatabase,
  size: LakeSize,
): Promise<boolean> {
  if (!(await knex.schema.hasTable('lake_settings'))) {
    return false;
  }
  const row = await knex('lake_settings').where({ key: LOADED }).first();
  return row?.value === String(size.deployments);
}

/**
 * Fills an empty database with two years of an organisation's records, and with the data
 * that the lake derives from them.
 *
 * @param say - called with each step.
 */
export async function loadLake(
  database: LakeDatabase,
  size: LakeSize,
  say: (text: string) => void,
): Promise<void> {
  const { knex } = database;
  const dialect = dialectOf(knex);
  const run = async (statement: string) => {
    const begun = performance.now();
    await knex.raw(statement);
    const seconds = (performance.now() - begun) / 1_000;
    if (seconds > 1) {
      const [line] = statement.trim().split('\n');
      say(`  ${seconds.toFixed(1)} s  ${line.slice(0, 100)}`);
    }
  };
  const runAll = async (statements: string[]) => {
    for (const statement of statements) {
      await run(statement);
    }
  };

  await openLakeDatabase({ getClient: async () => knex });
  const indexes = await dropIndexes(knex);
  await database.beginBulk();
  await runAll([
    ...nameStatements(dialect, size),
    ...factStatements(dialect, size),
    ...recordStatements(dialect),
    ...durationStatements(dialect),
    'DROP TABLE bench_facts',
    ...rollupStatements(dialect),
    ...indexes,
  ]);
  await knex('lake_settings').insert({
    key: LOADED,
    value: String(size.deployments),
  });
  await database.endBulk();
}
