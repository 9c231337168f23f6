import type { Knex } from 'knex';

/** Tables that are too large to be filled with their indexes on. */
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
 * Takes the indexes off the large tables.
 *
 * @returns the statements that put back exactly those.
 */
export async function dropIndexes(knex: Knex): Promise<string[]> {
  const indexes =
    knex.client.config.client === 'pg'
      ? await postgresIndexes(knex)
      : await sqliteIndexes(knex);
  for (const { drop } of indexes) {
    await knex.raw(drop);
  }
  return indexes.map(({ create }) => create);
}
