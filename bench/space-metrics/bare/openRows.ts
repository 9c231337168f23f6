import createKnex, { type Knex } from 'knex';
import type { DatabaseSection } from '../BenchDatabase.ts';

const CONNECTIONS = 10;

/** A table for bare rows, in a database as durable as the service's. */
export async function openRows(section: DatabaseSection): Promise<Knex> {
  const isSqlite = section.client === 'better-sqlite3';
  const knex = createKnex({
    ...section,
    useNullAsDefault: true,
    pool: { min: 0, max: isSqlite ? 1 : CONNECTIONS },
  });
  if (isSqlite) {
    await knex.raw('PRAGMA journal_mode = WAL');
    await knex.raw('PRAGMA synchronous = FULL');
  }
  await knex.schema.createTable('bench_rows', table => {
    table.string('id', 64).primary();
    table.text('body').notNullable();
  });
  return knex;
}
