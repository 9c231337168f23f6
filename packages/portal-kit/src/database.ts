import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseService } from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';

/** Serialization failure and deadlock of PostgreSQL; SQLite's lock held by another process. */
const PASSING_CODES = ['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'];
const ATTEMPTS = 8;
const FIRST_DELAY_MS = 10;

/** Tells whether a plugin's database is PostgreSQL; it is SQLite otherwise. */
export function isPostgres(knex: Knex): boolean {
  return knex.client.config.client === 'pg';
}

function isPassing(error: unknown): boolean {
  return PASSING_CODES.includes((error as { code?: string }).code ?? '');
}

/**
 * Runs a transaction while no other with the same key runs, on any replica. SQLite
 * has one connection, which is lock enough. One that collides with whatever else
 * writes the same rows runs again, a bounded number of times.
 *
 * @param lock - key of an advisory lock that nobody else takes in this database.
 * @throws the database's error, with nothing written.
 */
export async function exclusiveTransaction<T>(
  knex: Knex,
  lock: number,
  work: (tx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await knex.transaction(async tx => {
        if (isPostgres(knex)) {
          await tx.raw('SELECT pg_advisory_xact_lock(?)', [lock]);
        }
        return work(tx);
      });
    } catch (error) {
      if (!isPassing(error) || attempt === ATTEMPTS) {
        throw error;
      }
      await sleep(FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Key of the advisory lock, unlikely to be another's: "migr" in ASCII. */
const MIGRATION_LOCK = 0x6d696772;

/**
 * Opens a plugin's database with its tables brought up to date, one replica after
 * the other: knex fails where two begin at the same time, and a portal that starts
 * would stop at it. Needs a pool of at least two connections on PostgreSQL.
 *
 * @param options.migrations - absolute path of the directory.
 * @param options.migrationsTable - where a module notes its own, beside its plugin's.
 */
export async function openDatabase(options: {
  database: DatabaseService;
  migrations: string;
  migrationsTable?: string;
}): Promise<Knex> {
  const { database, migrations, migrationsTable } = options;
  const knex = await database.getClient();
  if (database.migrations?.skip) {
    return knex;
  }
  const migrate = () =>
    knex.migrate.latest({
      directory: migrations,
      ...(migrationsTable && { tableName: migrationsTable }),
    });
  if (isPostgres(knex)) {
    await exclusiveTransaction(knex, MIGRATION_LOCK, migrate);
  } else {
    // Its one connection is the one that migrates.
    await migrate();
  }
  return knex;
}
