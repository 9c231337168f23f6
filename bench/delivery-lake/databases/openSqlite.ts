import { mkdirSync } from 'node:fs';
import path from 'node:path';
import createKnex, { type Knex } from 'knex';
import { dropFileCache } from './dropFileCache';
import type { LakeDatabase } from './LakeDatabase';

const BULK_CACHE_KIB = 3_000_000;

function connect(directory: string): Knex {
  return createKnex({
    client: 'better-sqlite3',
    connection: { filename: path.join(directory, 'lake.sqlite') },
    useNullAsDefault: true,
  });
}

/** Opens the database as the portal does: one connection, SQLite's own settings. */
export function openSqlite(directory: string): LakeDatabase {
  mkdirSync(directory, { recursive: true });
  const database: LakeDatabase = {
    name: 'SQLite',
    knex: connect(directory),
    async dropCaches() {
      await database.knex.destroy();
      await dropFileCache(directory);
      database.knex = connect(directory);
    },
    async beginBulk() {
      await database.knex.raw('PRAGMA journal_mode = OFF');
      await database.knex.raw('PRAGMA synchronous = OFF');
      await database.knex.raw(`PRAGMA cache_size = -${BULK_CACHE_KIB}`);
    },
    async endBulk() {
      await database.knex.raw('ANALYZE');
      await database.knex.destroy();
      database.knex = connect(directory);
      await database.knex.raw('PRAGMA journal_mode = DELETE');
    },
    close: () => database.knex.destroy(),
  };
  return database;
}
