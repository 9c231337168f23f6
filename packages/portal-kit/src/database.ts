import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseService } from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';

/** Error codes worth a retry: PostgreSQL's serialization failure and deadlock, and SQLite's held lock. */
const PASSING_CODES = ['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'];
const ATTEMPTS = 8;
const FIRST_DELAY_MS = 10;

/** Checks whether a plugin's database is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(knex: Knex): boolean {
  return knex.client.config.client === 'pg';
}

function isPassing(error: unknown): boolean {
  return PASSING_CODES.includes((error as { code?: string }).code ?? '');
}

/**
 * Runs a transaction exclusively: no other with the same key runs at the same time, on any replica.
 * On SQLite, the single connection serves as the lock. A transaction that conflicts with other writes is
 * retried a limited number of times.
 *
 * @param lock - key of an advisory lock that nothing else uses in this database.
 * @throws the database's error; nothing was written.
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

/** Key of the advisory lock, unlikely to be used elsewhere: "migr" in ASCII. */
const MIGRATION_LOCK = 0x6d696772;

/**
 * Opens a plugin's database and migrates its tables, one replica after another: knex fails if two
 * replicas start at the same time, which would stop the portal. Requires a pool of at least two
 * connections on PostgreSQL.
 *
 * @param options.migrations - absolute path of the directory.
 * @param options.migrationsTable - records the migrations of a module separately from its plugin's.
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
    // SQLite needs no lock: its only connection runs the migrations.
    await migrate();
  }
  return knex;
}
