import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { default as BetterSqlite3 } from 'better-sqlite3';
import knexFactory, { type Knex } from 'knex';
import type { Database } from './Database.ts';
import type { DatabaseConfig } from './DatabaseConfig.ts';
import {
  DatabaseUnavailableError,
  isConnectionError,
} from './DatabaseUnavailableError.ts';
import { GroupCommit } from './GroupCommit.ts';
import { retryClashes } from './retryClashes.ts';

const ACQUIRE_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/** knex writes to the console what it throws as well. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };

/**
 * Opens the database of a service.
 *
 * @param options.root - what a relative SQLite file name is relative to.
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: { root: string },
): Promise<Database> {
  if (config.client === 'better-sqlite3') {
    const { filename } = config.connection;
    if (filename === ':memory:') {
      return wrapKnex(openSqlite(filename));
    }
    const file = path.resolve(options.root, filename);
    await mkdir(path.dirname(file), { recursive: true });
    return wrapKnex(openSqlite(file));
  }
  return wrapKnex(
    knexFactory({
      client: 'pg',
      log: SILENT,
      connection: postgresConnection(config.connection),
      pool: { min: 0, max: config.poolSize ?? 10 },
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    }),
  );
}

/** A {@link Database} over a connection that somebody else opened, e.g. a test. */
export function wrapKnex(knex: Knex): Database {
  const client = knex.client.config.client === 'pg' ? 'postgres' : 'sqlite';
  const group = client === 'sqlite' ? new GroupCommit(knex) : undefined;
  return {
    client,
    knex,
    async transaction(work) {
      try {
        return await (group
          ? group.run(work)
          : retryClashes(() => knex.transaction(work)));
      } catch (error) {
        throw isConnectionError(error)
          ? new DatabaseUnavailableError(error)
          : error;
      }
    },
    async isAlive(timeoutMs = 1_000) {
      try {
        await knex.raw('SELECT 1').timeout(timeoutMs);
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await group?.idle();
      await knex.destroy();
    },
  };
}

function openSqlite(filename: string): Knex {
  return knexFactory({
    client: 'better-sqlite3',
    log: SILENT,
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(
        connection: BetterSqlite3.Database,
        done: (error: Error | null, connection: unknown) => void,
      ) {
        connection.pragma('journal_mode = WAL');
        // In WAL mode NORMAL would lose the last commits in a power cut.
        connection.pragma('synchronous = FULL');
        // Pages that are written all the time go into the file once in 32 MB of log.
        connection.pragma('wal_autocheckpoint = 8192');
        connection.pragma('cache_size = -65536');
        connection.pragma('foreign_keys = ON');
        connection.pragma('busy_timeout = 5000');
        done(null, connection);
      },
    },
  });
}

function postgresConnection(
  connection: Extract<DatabaseConfig, { client: 'pg' }>['connection'],
): Knex.PgConnectionConfig {
  const own =
    typeof connection === 'string'
      ? { connectionString: connection }
      : (connection as Knex.PgConnectionConfig);
  return {
    ...own,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  };
}
