import type { Knex } from 'knex';
import { isPostgres } from './recordTable';
import { retryConflicts } from './retryConflicts';

// Any number that nobody else takes in this database.
const LOCK_ID = 7_305_811_942;

/**
 * Runs one step of deriving: one at a time over all replicas, all or nothing. SQLite
 * has one connection, which is lock enough.
 */
export async function deriveTransaction<T>(
  knex: Knex,
  step: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return retryConflicts(() =>
    knex.transaction(async trx => {
      if (isPostgres(knex)) {
        await trx.raw('SELECT pg_advisory_xact_lock(?)', [LOCK_ID]);
        // The planner cannot know how short the joined lists are, and would rather
        // read ten million deployments than look a hundred up.
        await trx.raw(
          'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off',
        );
      }
      return step(trx);
    }),
  );
}
