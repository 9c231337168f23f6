import type { Knex } from 'knex';
import { exclusiveTransaction } from '@slipway/portal-kit';

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
