import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import {
  exclusiveTransaction,
  isPostgres,
  openDatabase,
} from '@slipway/portal-kit';
import type { Knex } from 'knex';

/** The plugin's database, open and up to date. */
export type LakeDatabase = Knex;

/** Opens the plugin's database, its tables brought up to date. */
export async function openLakeDatabase(
  database: DatabaseService,
): Promise<Knex> {
  return openDatabase({
    database,
    migrations: resolvePackagePath(
      '@slipway/plugin-delivery-lake-backend',
      'migrations',
    ),
  });
}

/** Key of the advisory lock, unlikely to be another's: "lake" in ASCII. */
const INGEST_LOCK = 0x6c616b65;

/**
 * Runs what takes events in, one at a time over all replicas: an event's effect
 * depends on what is known of its record, of the change it deploys, of the
 * deployment it links to. Two transactions that do not see each other would each
 * leave out what the other brings. A lock per record would not help: a batch of a
 * thousand touches so many records that nearly all batches meet.
 *
 * @throws the database's error, with nothing written.
 */
export async function ingestTransaction<T>(
  knex: Knex,
  work: (tx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return exclusiveTransaction(knex, INGEST_LOCK, work);
}

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
