import { chunksOf, type LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Status } from '../feedback/Feedback.ts';

/** Maximum number of rows of one insertion. */
const AT_ONCE = 100;

/**
 * A piece of news for voters: a status, or a public note with the time at which it was written. Notes have
 * notices of their own, since the notice of the previous one may be being sent.
 */
export type VoterNews = Status | `note:${number}`;

/** Enqueues notices `<vote>:<news>` to those who voted for a record, except to who caused them. */
export async function tellVoters(
  trx: Knex.Transaction,
  queue: LeasedQueue<object>,
  news: { id: string; what: VoterNews; actor: string; at: number },
): Promise<void> {
  const { id, what, actor, at } = news;
  const votes: string[] = await trx('feedback_votes')
    .where({ feedback_id: id })
    // Also leaves out votes that were taken back, which have no voter.
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
