import type { Knex } from 'knex';
import { GroupWriter } from './GroupWriter.ts';

/** Works of one commit at most: bounds what a failing commit takes with it, and the wait of the first. */
const GROUP_SIZE = 128;

type Work = (trx: Knex.Transaction) => Promise<unknown>;
type Outcome = { value: unknown } | { error: unknown };

/** Runs transactions of one database, many in one commit. */
export interface SharedCommits {
  /** Resolves once the work is on disk; rejects, having changed nothing, where the work throws. */
  run<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
}

/**
 * Makes one writer for SQLite, which has one anyway: transactions that wait while another
 * commits go together into the next commit, each in a savepoint of its own. So each
 * is as durable and as separate as if alone, and many share one fsync.
 */
export function shareCommits(knex: Knex): SharedCommits {
  const writer = new GroupWriter<Work, Outcome>({
    groupSize: GROUP_SIZE,
    write: works => knex.transaction(trx => runAll(trx, works)),
  });
  return {
    async run<T>(work: (trx: Knex.Transaction) => Promise<T>) {
      const outcome = await writer.add(work);
      if ('error' in outcome) {
        throw outcome.error;
      }
      return outcome.value as T;
    },
    idle: () => writer.idle(),
  };
}

async function runAll(
  trx: Knex.Transaction,
  works: readonly Work[],
): Promise<Outcome[]> {
  // What is alone needs no savepoint: where it fails, so does the transaction.
  if (works.length === 1) {
    return [{ value: await works[0](trx) }];
  }
  const outcomes: Outcome[] = [];
  for (const work of works) {
    try {
      outcomes.push({ value: await trx.transaction(work) });
    } catch (error) {
      outcomes.push({ error });
    }
  }
  return outcomes;
}
