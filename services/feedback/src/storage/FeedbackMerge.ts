import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  type Feedback,
  isOpenForVoting,
  type Status,
} from '../feedback/Feedback.ts';
import {
  giveBackVotes,
  moveVotes,
  noteVote,
  noteVotes,
} from './DuplicateVotes.ts';
import { type FeedbackRow, fromRow } from './FeedbackRow.ts';
import type { FeedbackStore } from './FeedbackStore.ts';
import type { VoteStore } from './VoteStore.ts';

/** Prefix of the notes in the history of a merged record. */
const MERGED = 'Merged into ';

/**
 * Why two records cannot be merged: one is missing, the first is a duplicate already, or the second
 * is not open for voting.
 */
type Refusal = 'missing' | 'merged' | 'closed';

/** A merged record, and the record that it was first merged into. */
interface Duplicate {
  readonly id: string;
  readonly duplicate_of: string | null;
}

/**
 * Merges duplicates into other records, and undoes merges. The other record is locked before its
 * duplicates, so that concurrent changes cannot deadlock.
 */
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
   * Archives a record as a duplicate of another one, to which its votes and its own duplicates
   * move. If the duplicate was never open for voting, its sender also gets a vote for the other
   * record.
   *
   * @param by - the actor, the time, and the number of replies that the actor has seen; see
   *   {@link FeedbackStore.changeStatus}.
   * @returns the other record, or why nothing was merged.
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
    const read = async (each: string) => {
      const row = await trx<FeedbackRow>('feedback')
        .where({ id: each })
        .first();
      return row && fromRow(row);
    };
    // Checked before locking too: for a record and its own duplicate, the order of the locks below
    // could be wrong.
    const seen = pairOf(await read(id), await read(into));
    if (typeof seen === 'string') {
      return seen;
    }
    const locked = new Map<string, Feedback | undefined>();
    // Always in the same order, so that two merges cannot deadlock.
    for (const each of [id, into].sort()) {
      locked.set(each, await votes.lock(trx, each));
    }
    const pair = pairOf(locked.get(id), locked.get(into));
    if (typeof pair === 'string') {
      return pair;
    }
    const { duplicate, target } = pair;
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
   * Separates a duplicate from the record that it was merged into. Restores its status, its own
   * duplicates, and the votes for all of them that have not been withdrawn since. The other record
   * keeps the votes of users who also voted for it or for its other duplicates. No one is notified.
   * Has no effect on a record that is not a duplicate.
   *
   * @returns false if the record does not exist.
   */
  async undo(id: string, by: { actor: string; at: number }): Promise<boolean> {
    let hasFound: boolean | undefined;
    do {
      hasFound = await this.#options.database.transaction(trx =>
        this.#undoIn(trx, id, by),
      );
    } while (hasFound === undefined);
    return hasFound;
  }

  /**
   * Undoes a merge in one transaction.
   *
   * @returns undefined if the duplicate was merged into another record in the meantime.
   */
  async #undoIn(
    trx: Knex.Transaction,
    id: string,
    by: { actor: string; at: number },
  ): Promise<boolean | undefined> {
    const { votes } = this.#options;
    const found: { merged_into: string | null } | undefined = await trx(
      'feedback',
    )
      .where({ id })
      .first('merged_into');
    const into = found?.merged_into;
    if (!into) {
      return found !== undefined;
    }
    await votes.lock(trx, into);
    const duplicate = await votes.lock(trx, id);
    if (duplicate?.mergedInto !== into) {
      return undefined;
    }
    const all: Duplicate[] = await trx('feedback')
      .where({ merged_into: into })
      .select('id', 'duplicate_of');
    const within = familyOf(id, all);
    const rest = all.map(each => each.id).filter(each => !within.has(each));
    await this.#restoreStatus(trx, duplicate, by);
    const restored = await giveBackVotes(trx, {
      id,
      into,
      within: [...within],
      rest,
      // Without a title, it was never open for voting; its sender only got a vote for the other
      // record.
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
  }

  /** Restores the status that a record had before merging, unless it has been changed since. */
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
      // The sender was already notified when it was first resolved.
      await feedback.notices.cancel(trx, id);
    }
  }
}

/**
 * Reads the status before merging from the history, for duplicates that the previous version
 * merged.
 */
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

/** Returns the duplicate and the record to merge it into, or why they cannot be merged. */
function pairOf(
  duplicate: Feedback | undefined,
  target: Feedback | undefined,
): { duplicate: Feedback; target: Feedback } | Refusal {
  if (!duplicate || !target) {
    return 'missing';
  }
  if (duplicate.mergedInto !== null) {
    return 'merged';
  }
  return isOpenForVoting(target) ? { duplicate, target } : 'closed';
}

/** Returns the ids of a duplicate and of the records merged into it, directly or indirectly. */
function familyOf(id: string, all: readonly Duplicate[]): Set<string> {
  const family = new Set([id]);
  // The loop also visits members added while it runs.
  for (const member of family) {
    for (const each of all) {
      if (each.duplicate_of === member) {
        family.add(each.id);
      }
    }
  }
  return family;
}
