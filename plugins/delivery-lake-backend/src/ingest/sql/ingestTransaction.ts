import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

/** Serialization failure and deadlock of PostgreSQL; SQLite's lock held by another process. */
const PASSING_CODES = ['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'];
const ATTEMPTS = 8;
const FIRST_DELAY_MS = 10;

/** Key of the advisory lock, unlikely to be another's: "lake" in ASCII. */
const INGEST_LOCK = 0x6c616b65;

function isPassing(error: unknown): boolean {
  return PASSING_CODES.includes((error as { code?: string }).code ?? '');
}

/**
 * Runs what takes events in, one at a time over all replicas: an event's effect
 * depends on what is known of its record, of the change it deploys, of the
 * deployment it links to. Two transactions that do not see each other would each
 * leave out what the other brings. A lock per record would not help: a batch of a
 * thousand touches so many records that nearly all batches meet.
 *
 * Whatever else writes the same rows may still collide; then it runs again, a
 * bounded number of times.
 *
 * @throws the database's error, with nothing written.
 */
export async function ingestTransaction<T>(
  knex: Knex,
  work: (tx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await knex.transaction(async tx => {
        if (knex.client.config.client === 'pg') {
          await tx.raw('SELECT pg_advisory_xact_lock(?)', [INGEST_LOCK]);
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
