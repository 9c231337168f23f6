import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import {
  type Database,
  type DatabaseConfig,
  openDatabase,
} from '../database/openDatabase.ts';

const POSTGRES = 'BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING';

/** Returns the databases that a storage suite runs on; only SQLite without a PostgreSQL server. */
export function testDatabaseClients(): Database['client'][] {
  return process.env[POSTGRES] ? ['sqlite', 'postgres'] : ['sqlite'];
}

/**
 * Creates a separate empty database for a process under test. The returned `dispose` deletes it.
 *
 * @returns the configuration section that opens it, among others.
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
 * Emptied PostgreSQL databases for later tests of this process: emptying one takes a tenth of the
 * time of creating one. They are deleted with the server.
 */
const emptied: DatabaseConfig[] = [];

const EMPTY = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid();
  DROP SCHEMA public CASCADE;
  CREATE SCHEMA public;
`;

/**
 * Opens a separate empty database for a test (SQLite: in memory). The returned `dispose` deletes
 * it.
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
  const config = emptied.pop() ?? (await createTestDatabase(client)).config;
  const database = await openDatabase(config, { root: '/' });
  return {
    database,
    async dispose() {
      await database.close();
      await onServer(config.connection as string, EMPTY);
      emptied.push(config);
    },
  };
}

async function onServer(address: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
