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

/** The beginning of the notes in the history of a record that is merged. */
const MERGED = 'Merged into ';

/** Why nothing was merged: a record is missing, the first is a duplicate, or the second is closed. */
type Refusal = 'missing' | 'merged' | 'closed';

/** A record that has been merged, with the record that it was merged into first. */
interface Duplicate {
  readonly id: string;
  readonly duplicate_of: string | null;
}

/**
 * Merges duplicates into the records that they repeat, and undoes that. A record is locked before its
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

  /** Does what {@link merge} does, within a larger transaction. */
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
    // Checked before locking too, because the order of locks would be wrong for a record and its duplicate.
    const seen = pairOf(await read(id), await read(into));
    if (typeof seen === 'string') {
      return seen;
    }
    const locked = new Map<string, Feedback | undefined>();
    // In the same order by everyone, so that two merges do not wait for each other.
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
   * Separates a duplicate from the record that it was merged into. It gets back its status, its own
   * duplicates, and the votes for all of them that have not been withdrawn since. The other record keeps
   * the votes of users who also voted for it or for its other duplicates. Nobody is notified. Has no effect
   * on a record that is not a duplicate.
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

  /** @returns undefined if the duplicate was merged into another record in the meantime. */
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
      // Without a title, it was never open for voting: its sender only got a vote for the other record.
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

  /** Restores the status from before merging, unless it has been changed since. */
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

/** Reads the status before merging from the history, for duplicates merged by the previous version. */
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

/** Returns a duplicate and the record to merge it into, or why they cannot be merged. */
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
  // The loop also visits members that are added while it runs.
  for (const member of family) {
    for (const each of all) {
      if (each.duplicate_of === member) {
        family.add(each.id);
      }
    }
  }
  return family;
}
