import { chunksOf, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { v7 } from 'uuid';
import {
  type Feedback,
  isOpenForVoting,
  type Status,
} from '../feedback/Feedback.ts';
import {
  forgetVotes,
  notedVoters,
  noteVote,
  noteVotes,
  votersOf,
} from './DuplicateVotes.ts';
import { type FeedbackStore, QUEUES } from './FeedbackStore.ts';
import type { VoteStore } from './VoteStore.ts';

/** Maximum number of rows of one insertion. */
const AT_ONCE = 100;

/** The beginning of the notes on the change of status of a duplicate. */
const MERGED = 'Merged into ';

/** Why nothing was merged: a record is missing, the first is a duplicate, or the second is closed. */
type Refusal = 'missing' | 'merged' | 'closed';

/** A record that is merged into the same one as others. */
interface Duplicate {
  readonly id: string;
  readonly duplicate_of: string | null;
}

/** Merges duplicates into the records that they repeat, and separates them again. */
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
    return this.#options.database.transaction(trx =>
      this.mergeIn(trx, { id, into }, by),
    );
  }

  /** Merges like {@link merge}, within a larger transaction. */
  async mergeIn(
    trx: Knex.Transaction,
    { id, into }: { id: string; into: string },
    by: { actor: string; at: number; seenReplies?: number },
  ): Promise<Feedback | Refusal> {
    const { feedback, votes } = this.#options;
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
    await noteVotes(trx, id);
    const moved = await moveVotes(trx, { id, into, at: by.at });
    const sum = { ...target, votes: target.votes + moved };
    await trx('feedback').where({ id: into }).update({ votes: sum.votes });
    const { author } = duplicate.sender;
    let counted = sum.votes;
    if (duplicate.voting === null && author?.startsWith('user:')) {
      await noteVote(trx, id, author);
      counted = await votes.insert(trx, sum, {
        voter: author,
        at: by.at,
        isFromDuplicate: true,
      });
    }
    await trx('feedback').where({ merged_into: id }).update({
      merged_into: into,
    });
    await trx('feedback').where({ id }).update({
      votes: 0,
      merged_into: into,
      duplicate_of: into,
      status_before_merge: duplicate.status,
    });
    await feedback.triageIn(trx, id, {
      ...by,
      to: 'archived',
      notes: `${MERGED}${into}`,
    });
    return { ...target, votes: counted };
  }

  /**
   * Separates a duplicate from the record that it was merged into, as it was before: with its status, its
   * own duplicates, and the votes given to these, unless they have been withdrawn since. The other record
   * keeps the votes of those who voted for it or its other duplicates. Nobody is notified.
   *
   * @returns false if there is no such record. Without effect if it is no duplicate.
   */
  async undo(id: string, by: { actor: string; at: number }): Promise<boolean> {
    const { database, votes } = this.#options;
    return database.transaction(async trx => {
      const duplicate = await votes.lock(trx, id);
      const into = duplicate?.mergedInto;
      if (!duplicate || !into) {
        return duplicate !== undefined;
      }
      await votes.lock(trx, into);
      const all: Duplicate[] = await trx('feedback')
        .where({ merged_into: into })
        .select('id', 'duplicate_of');
      const within = familyOf(id, all);
      const rest = all.map(each => each.id).filter(each => !within.has(each));
      await this.#restoreStatus(trx, duplicate, by);
      const restored = await returnVotes(trx, {
        id,
        into,
        within: [...within],
        rest,
        // Without a title, nobody has voted for it: its sender voted for the other record.
        isVotable: duplicate.voting !== null,
        at: by.at,
      });
      await trx('feedback')
        .where({ merged_into: into })
        .whereIn('id', [...within])
        .update({ merged_into: id });
      await trx('feedback').where({ id }).update({
        votes: restored,
        merged_into: null,
        duplicate_of: null,
        status_before_merge: null,
      });
      return true;
    });
  }

  /** Gives a duplicate the status that it had, unless somebody has changed it since. */
  async #restoreStatus(
    trx: Knex.Transaction,
    { id, status, mergedInto }: Feedback,
    by: { actor: string; at: number },
  ): Promise<void> {
    const { feedback } = this.#options;
    const row: {
      duplicate_of: string | null;
      status_before_merge: Status | null;
    } = await trx('feedback')
      .where({ id })
      .first('duplicate_of', 'status_before_merge');
    const to =
      status === 'archived'
        ? (row.status_before_merge ?? (await statusBeforeMerge(trx, id)))
        : status;
    await feedback.changeStatusIn(trx, id, {
      ...by,
      to,
      notes: `No longer merged into ${row.duplicate_of ?? mergedInto}`,
    });
    if (to === 'resolved') {
      // The sender was told when it was resolved.
      await feedback.notices.cancel(trx, id);
    }
  }
}

/** Returns the status of a duplicate that the previous version, which only kept a history, has merged. */
async function statusBeforeMerge(
  trx: Knex.Transaction,
  id: string,
): Promise<Status> {
  const change: { from_status: Status } | undefined = await trx(
    'feedback_history',
  )
    .where({ feedback_id: id, to_status: 'archived' })
    .whereLike('notes', `${MERGED}%`)
    .orderBy('number', 'desc')
    .first('from_status');
  return change?.from_status ?? 'new';
}

/** Returns the ids of a duplicate and of what had been merged into it, directly or not. */
function familyOf(id: string, all: readonly Duplicate[]): Set<string> {
  const family = new Set([id]);
  // A set is iterated over what is added meanwhile, too.
  for (const member of family) {
    for (const each of all) {
      if (each.duplicate_of === member) {
        family.add(each.id);
      }
    }
  }
  return family;
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
    .update({ feedback_id: into, created_at: at, from_duplicate: true });
  await trx('feedback_votes').where({ feedback_id: id }).delete();
  return moved;
}

/**
 * Returns the votes given to a duplicate and its own duplicates (`within`), and takes those from the
 * other record that were given neither to it nor to the rest of its duplicates.
 *
 * @returns the number of votes for the former duplicate.
 */
async function returnVotes(
  trx: Knex.Transaction,
  options: {
    id: string;
    into: string;
    within: readonly string[];
    rest: readonly string[];
    isVotable: boolean;
    at: number;
  },
): Promise<number> {
  const { id, into, within, rest, isVotable, at } = options;
  const voters = isVotable
    ? await votersOf(trx, id, { within, mergedInto: into })
    : [];
  const taken = await trx('feedback_votes')
    .where({ feedback_id: into, from_duplicate: true })
    .whereIn('voter', notedVoters(trx, within))
    .whereNotIn('voter', notedVoters(trx, rest))
    .update({ voter: null, withdrawn_at: at });
  await trx('feedback').where({ id: into }).decrement('votes', taken);
  for (const chunk of chunksOf(voters, AT_ONCE)) {
    await trx('feedback_votes').insert(
      chunk.map(({ voter, isOwn }) => ({
        id: `vt_${v7()}`,
        feedback_id: id,
        voter,
        created_at: at,
        from_duplicate: !isOwn,
      })),
    );
  }
  await forgetVotes(trx, [id]);
  return voters.length;
}
