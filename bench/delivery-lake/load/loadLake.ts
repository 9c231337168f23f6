import { openLakeDatabase } from '@slipway/plugin-delivery-lake-backend/src/storage/openLakeDatabase';
import type { LakeDatabase } from '../databases/LakeDatabase';
import { dropIndexes } from './bulkIndexes';
import { dialectOf } from './dialect';
import { factStatements } from './facts';
import type { LakeSize } from './LakeSize';
import {
  durationStatements,
  nameStatements,
  recordStatements,
} from './recordStatements';
import { rollupStatements } from './rollupStatements';

const LOADED = 'bench.deployments';

/** Tells whether the database holds a complete lake of this size. */
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
 * Fills an empty database with two years of an organisation and what follows from
 * them, as the lake itself would have it.
 *
 * @param say - told of each step.
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
