import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import createKnex, { type Knex } from 'knex';
import type { BenchPostgres } from '../BenchPostgres';

/** A database that contains a lake of one size, or is empty. */
export interface LakeDatabase {
  /** Name in the report. */
  name: 'SQLite' | 'PostgreSQL';
  knex: Knex;
  /** Reopens the database with cold caches, both its own and the system's. */
  dropCaches(): Promise<void>;
  /** Prepares a bulk load, without durability. */
  beginBulk(): Promise<void>;
  /** Ends the bulk load, and updates the planner's statistics. */
  endBulk(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

/** Smaller files, such as the system catalogues, stay cached: they are read all the time. */
const LARGE_BYTES = 1_000_000;

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async file => stat(file)));
  return files.filter((_, index) => sizes[index].size >= LARGE_BYTES);
}

/**
 * Evicts the files of a directory from the page cache without root privileges (Linux,
 * GNU dd: POSIX_FADV_DONTNEED).
 */
async function dropFileCache(directory: string): Promise<void> {
  for (const file of await filesIn(directory)) {
    await run('dd', [
      `of=${file}`,
      'oflag=nocache',
      'conv=notrunc,fdatasync',
      'count=0',
      'status=none',
    ]);
  }
}

const CONNECTIONS = 10;

function connectPostgres(postgres: BenchPostgres, name: string): Knex {
  return createKnex({
    client: 'pg',
    connection: postgres.connectionString(name),
    pool: { min: 0, max: CONNECTIONS },
  });
}

/** Opens a database on the server; creates it if missing. */
export async function openPostgres(
  postgres: BenchPostgres,
  name: string,
): Promise<LakeDatabase> {
  const admin = connectPostgres(postgres, 'postgres');
  const known = await admin('pg_database').where({ datname: name }).first();
  if (!known) {
    await admin.raw('CREATE DATABASE ??', [name]);
  }
  await admin.destroy();
  const database: LakeDatabase = {
    name: 'PostgreSQL',
    knex: connectPostgres(postgres, name),
    async dropCaches() {
      await database.knex.destroy();
      await postgres.restart(() => dropFileCache(postgres.directory));
      database.knex = connectPostgres(postgres, name);
    },
    async beginBulk() {},
    async endBulk() {
      await database.knex.raw('VACUUM ANALYZE');
      await database.knex.raw('CHECKPOINT');
    },
    close: () => database.knex.destroy(),
  };
  return database;
}

const BULK_CACHE_KIB = 3_000_000;

function connectSqlite(directory: string): Knex {
  return createKnex({
    client: 'better-sqlite3',
    connection: { filename: path.join(directory, 'lake.sqlite') },
    useNullAsDefault: true,
  });
}

/**
 * Opens the database as the portal does: one connection, with SQLite's default
 * settings.
 */
export function openSqlite(directory: string): LakeDatabase {
  mkdirSync(directory, { recursive: true });
  const database: LakeDatabase = {
    name: 'SQLite',
    knex: connectSqlite(directory),
    async dropCaches() {
      await database.knex.destroy();
      await dropFileCache(directory);
      database.knex = connectSqlite(directory);
    },
    async beginBulk() {
      await database.knex.raw('PRAGMA journal_mode = OFF');
      await database.knex.raw('PRAGMA synchronous = OFF');
      await database.knex.raw(`PRAGMA cache_size = -${BULK_CACHE_KIB}`);
    },
    async endBulk() {
      await database.knex.raw('ANALYZE');
      await database.knex.destroy();
      database.knex = connectSqlite(directory);
      await database.knex.raw('PRAGMA journal_mode = DELETE');
    },
    close: () => database.knex.destroy(),
  };
  return database;
}
