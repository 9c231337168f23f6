import type { Knex } from 'knex';
import { exclusiveTransaction, isPostgres } from '@slipway/portal-kit';

// Any number that nobody else takes in this database.
const LOCK_ID = 7_305_811_942;

/** Runs one step of deriving: one at a time over all replicas, all or nothing. */
export async function deriveTransaction<T>(
  knex: Knex,
  step: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return exclusiveTransaction(knex, LOCK_ID, async trx => {
    if (isPostgres(knex)) {
      // The planner cannot know how short the joined lists are, and would rather
      // read ten million deployments than look a hundred up.
      await trx.raw(
        'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off',
      );
    }
    return step(trx);
  });
}
