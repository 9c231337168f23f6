import { chunksOf, type LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Status } from '../feedback/Feedback.ts';

/** Maximum number of rows per INSERT. */
const AT_ONCE = 100;

/**
 * News for voters: a status, or a public note identified by the time at which it was written. Each
 * note has its own notice, because the notice of the previous one may be being sent at the moment.
 */
export type VoterNews = Status | `note:${number}`;

/** Enqueues notices `<vote>:<news>` for the voters of a record, except the actor. */
export async function tellVoters(
  trx: Knex.Transaction,
  queue: LeasedQueue<object>,
  news: { id: string; what: VoterNews; actor: string; at: number },
): Promise<void> {
  const { id, what, actor, at } = news;
  const votes: string[] = await trx('feedback_votes')
    .where({ feedback_id: id })
    // Also excludes withdrawn votes, whose voter is null.
    .whereNot('voter', actor)
    .pluck('id');
  for (const chunk of chunksOf(votes, AT_ONCE)) {
    await queue.enqueue(
      trx,
      chunk.map(vote => ({
        id: `${vote}:${what}`,
        lane: id,
        payload: {},
        createdAt: at,
      })),
    );
  }
}
