import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
// Only tests load this file, so services do not depend on the pool.
// eslint-disable-next-line @backstage/no-undeclared-imports
import { TestDatabasePool } from '@slipway/test-postgres/TestDatabasePool';
import type BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { KIT_MIGRATIONS, migrate } from '../database/migrate.ts';
import {
  type Database,
  type DatabaseConfig,
  openDatabase,
  openSqlite,
  wrapKnex,
} from '../database/openDatabase.ts';

const POSTGRES = 'BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING';

/** The migrations of a service, as in its definition. */
interface Migrated {
  migrations?: URL;
}

let pool: TestDatabasePool | undefined;

/** Serialised SQLite databases after their migrations, by {@link keyOf}. */
const images = new Map<string, Promise<Buffer>>();

/** Returns the kinds of database that a storage suite runs on: PostgreSQL only if tests have a server. */
export function testDatabaseClients(): Database['client'][] {
  return process.env[POSTGRES] ? ['sqlite', 'postgres'] : ['sqlite'];
}

/**
 * Creates a separate empty database for a process under test. The returned `dispose` deletes it.
 *
 * @returns the configuration section that opens it, and `dispose`.
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
 * Opens a separate database for a test (SQLite: in memory), which the returned `dispose` closes. It
 * is empty, or has the tables of a service.
 *
 * @param service - the service whose tables to create. Its migrations run once, and each test gets a
 *   copy of the result.
 */
export async function openTestDatabase(
  client: Database['client'],
  service?: Migrated,
): Promise<{ database: Database; dispose(): Promise<void> }> {
  if (client === 'sqlite') {
    const source = service ? await migratedImage(service) : ':memory:';
    const database = wrapKnex(openSqlite(source));
    return { database, dispose: () => database.close() };
  }
  pool ??= new TestDatabasePool(
    process.env[POSTGRES]!,
    async address => (await openPostgres(address)).knex,
  );
  const { knex, release } = await pool.take({
    key: service ? keyOf(service) : '',
    migrate: async connection => {
      const database = await openPostgres(connection);
      await migrateFor(database, service);
      await database.close();
    },
  });
  return { database: wrapKnex(knex), dispose: release };
}

function migratedImage(service: Migrated): Promise<Buffer> {
  const key = keyOf(service);
  const image = images.get(key) ?? createImage(service);
  images.set(key, image);
  return image;
}

async function createImage(service: Migrated): Promise<Buffer> {
  const database = wrapKnex(openSqlite(':memory:'));
  await migrateFor(database, service);
  const { client } = database.knex;
  const connection: BetterSqlite3.Database = await client.acquireConnection();
  const image = connection.serialize();
  await client.releaseConnection(connection);
  await database.close();
  return image;
}

function keyOf({ migrations }: Migrated): string {
  return migrations?.href ?? 'kit';
}

async function migrateFor(
  database: Database,
  service: Migrated | undefined,
): Promise<void> {
  if (service) {
    await migrate(database, { directory: KIT_MIGRATIONS, tablePrefix: 'kit_' });
  }
  if (service?.migrations) {
    await migrate(database, { directory: service.migrations });
  }
}

function openPostgres(address: string): Promise<Database> {
  return openDatabase({ client: 'pg', connection: address }, { root: '/' });
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
