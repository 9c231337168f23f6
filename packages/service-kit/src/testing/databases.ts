import { randomBytes } from 'node:crypto';
import knexFactory from 'knex';
import type { Database } from '../database/Database.ts';
import { openDatabase } from '../database/openDatabase.ts';

const POSTGRES = 'BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING';

/** The databases that a storage suite runs on; without a PostgreSQL server SQLite alone. */
export function testDatabaseClients(): Database['client'][] {
  return process.env[POSTGRES] ? ['sqlite', 'postgres'] : ['sqlite'];
}

/**
 * Opens an empty database of its own for a test, and removes it when the returned
 * `dispose` is called.
 */
export async function openTestDatabase(
  client: Database['client'],
): Promise<{ database: Database; dispose(): Promise<void> }> {
  if (client === 'sqlite') {
    const database = await openDatabase(
      { client: 'better-sqlite3', connection: { filename: ':memory:' } },
      { root: '/' },
    );
    return { database, dispose: () => database.close() };
  }
  const server = process.env[POSTGRES]!;
  const name = `kit${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  const database = await openDatabase(
    { client: 'pg', connection: address.href },
    { root: '/' },
  );
  return {
    database,
    async dispose() {
      await database.close();
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(server: string, statement: string): Promise<void> {
  const address = new URL(server);
  address.pathname = '/postgres';
  const knex = knexFactory({ client: 'pg', connection: address.href });
  try {
    await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}
