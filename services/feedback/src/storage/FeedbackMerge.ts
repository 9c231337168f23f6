import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { type Feedback, isOpenForVoting } from '../feedback/Feedback.ts';
import { type FeedbackStore, QUEUES } from './FeedbackStore.ts';
import type { VoteStore } from './VoteStore.ts';

/** Why nothing was merged: a record is missing, the first is a duplicate, or the second is closed. */
type Refusal = 'missing' | 'merged' | 'closed';

/** Merges duplicates into the records that they repeat. */
export class FeedbackMerge {
  readonly #options: {
    database: Database;
    feedback: FeedbackStore;
    votes: VoteStore;
  };

  constructor(options: {
    database: Database;
    feedback: FeedbackStore;
    votes: VoteStore;
  }) {
    this.#options = options;
  }

  /**
   * Archives a record as a duplicate. Its votes and its own duplicates move to the other record, for
   * which its sender votes, unless the sender could vote for the duplicate and does not.
   *
   * @param by - who merges, when, and having seen how many replies: see
   *   {@link FeedbackStore.changeStatus}.
   * @returns the other record.
   */
  async merge(
    id: string,
    into: string,
    by: { actor: string; at: number; seenReplies?: number },
  ): Promise<Feedback | Refusal> {
    const { database, feedback, votes } = this.#options;
    return database.transaction(async trx => {
      const locked = new Map<string, Feedback>();
      // In the same order by everyone, so that two merges do not wait for each other.
      for (const each of [id, into].sort()) {
        const record = await votes.lock(trx, each);
        if (!record) {
          return 'missing';
        }
        locked.set(each, record);
      }
      const duplicate = locked.get(id)!;
      const target = locked.get(into)!;
      if (duplicate.mergedInto !== null) {
        return 'merged';
      }
      if (!isOpenForVoting(target)) {
        return 'closed';
      }
      const moved = await moveVotes(trx, { id, into, at: by.at });
      const sum = { ...target, votes: target.votes + moved };
      await trx('feedback').where({ id: into }).update({ votes: sum.votes });
      const { author } = duplicate.sender;
      const counted =
        duplicate.voting === null && author?.startsWith('user:')
          ? await votes.insert(trx, sum, { voter: author, at: by.at })
          : sum.votes;
      await trx('feedback').where({ merged_into: id }).update({
        merged_into: into,
      });
      await trx('feedback')
        .where({ id })
        .update({ votes: 0, merged_into: into });
      await feedback.triageIn(trx, id, {
        ...by,
        to: 'archived',
        notes: `Merged into ${into}`,
      });
      return { ...target, votes: counted };
    });
  }
}

/**
 * Moves votes to another record, where everyone still has one.
 *
 * @returns the number of votes that the other record gains.
 */
async function moveVotes(
  trx: Knex.Transaction,
  { id, into, at }: { id: string; into: string; at: number },
): Promise<number> {
  // What their voters were about to be told is about the duplicate.
  await trx('kit_queue').where({ queue: QUEUES.votes, lane: id }).delete();
  const moved = await trx('feedback_votes')
    .where({ feedback_id: id })
    .whereNotNull('voter')
    .whereNotIn(
      'voter',
      trx('feedback_votes')
        .where({ feedback_id: into })
        .whereNotNull('voter')
        .select('voter'),
    )
    .update({ feedback_id: into, created_at: at });
  await trx('feedback_votes').where({ feedback_id: id }).delete();
  return moved;
}
