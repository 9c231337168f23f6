import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import knexFactory from 'knex';
import {
  type Database,
  type DatabaseConfig,
  openDatabase,
} from '../database/openDatabase.ts';

const POSTGRES = 'BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING';

/** The databases that a storage suite runs on; without a PostgreSQL server SQLite alone. */
export function testDatabaseClients(): Database['client'][] {
  return process.env[POSTGRES] ? ['sqlite', 'postgres'] : ['sqlite'];
}

/**
 * Makes an empty database of its own for a process under test, and removes it when the
 * returned `dispose` is called.
 *
 * @returns with the section of the configuration that opens it.
 */
export async function createTestDatabase(
  client: Database['client'],
): Promise<{ config: DatabaseConfig; dispose(): Promise<void> }> {
  if (client === 'sqlite') {
    const directory = await mkdtemp(path.join(tmpdir(), 'kit-'));
    const filename = path.join(directory, 'db.sqlite');
    return {
      config: { client: 'better-sqlite3', connection: { filename } },
      dispose: () => rm(directory, { recursive: true, force: true }),
    };
  }
  const server = process.env[POSTGRES]!;
  const name = `kit${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  return {
    config: { client: 'pg', connection: address.href },
    dispose: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/**
 * Opens an empty database of its own for a test, SQLite in memory, and removes it when
 * the returned `dispose` is called.
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
  const { config, dispose } = await createTestDatabase(client);
  const database = await openDatabase(config, { root: '/' });
  return {
    database,
    async dispose() {
      await database.close();
      await dispose();
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
