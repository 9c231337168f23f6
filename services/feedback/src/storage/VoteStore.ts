import { type Database, LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { v7 } from 'uuid';
import {
  type Feedback,
  isOpenForVoting,
  noteAfter,
} from '../feedback/Feedback.ts';
import {
  findVotedDuplicates,
  forgetVote,
  forgetVoter,
  type VotedDuplicate,
} from './DuplicateVotes.ts';
import { type FeedbackRow, fromRow } from './FeedbackRow.ts';
import { QUEUES } from './FeedbackStore.ts';
import { tellVoters } from './tellVoters.ts';

/** A vote of a user. */
export interface Vote {
  readonly feedbackId: string;
  /** The title of the record that the vote is for. */
  readonly title: string;
  /** The user's entity reference. */
  readonly voter: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Why nothing changed: the record does not exist, is a duplicate, or is not open for voting. */
type Refusal = 'missing' | 'merged' | 'closed';

/** Stores which records are open for voting, and up to one vote per user and record. */
export class VoteStore {
  readonly #database: Database;
  readonly #notices: LeasedQueue<object>;

  constructor({ database }: { database: Database }) {
    this.#database = database;
    this.#notices = new LeasedQueue({ database, name: QUEUES.votes });
  }

  /**
   * Opens a record for voting, or changes its title or public note. The sender, if known, casts the
   * first vote. Voters are notified of a new note, except its author.
   *
   * @param change.title - the wish, worded for everyone. If undefined, only the note changes, and
   *   only while the record is open for voting.
   * @param change.note - the new public note; an empty one removes it, undefined leaves it.
   * @param change.seenNote - the public note that the actor has seen; empty if there was none.
   * @returns the changed record, or why nothing changed: `changed` if the public note is neither
   *   `seenNote` nor the new note.
   */
  async open(
    id: string,
    change: {
      title?: string;
      note?: string;
      seenNote?: string;
      actor: string;
      at: number;
    },
  ): Promise<Feedback | Refusal | 'changed'> {
    const { actor, at, seenNote } = change;
    return this.#database.transaction(async trx => {
      const before = await this.lock(trx, id);
      if (!before || before.mergedInto !== null) {
        return before ? 'merged' : 'missing';
      }
      const { voting, sender } = before;
      const title = change.title ?? (voting?.isOpen ? voting.title : undefined);
      if (title === undefined) {
        return 'closed';
      }
      const current = voting?.note?.text ?? '';
      // A request that is sent again finds its own note.
      if (![undefined, current].includes(seenNote) && change.note !== current) {
        return 'changed';
      }
      const since = voting?.isOpen ? voting.since : at;
      const note = noteAfter(voting?.note ?? null, change);
      if (note !== null && note !== voting?.note) {
        const what = `note:${note.at}` as const;
        await tellVoters(trx, this.#notices, { id, what, actor, at });
      }
      await trx('feedback')
        .where({ id })
        .update({
          voting_title: title,
          voting_open: true,
          voting_since: since,
          public_note: note?.text ?? null,
          public_note_at: note?.at ?? null,
        });
      const votes =
        voting === null && sender.author?.startsWith('user:')
          ? await this.insert(trx, before, { voter: sender.author, at })
          : before.votes;
      return { ...before, votes, voting: { title, isOpen: true, since, note } };
    });
  }

  /**
   * Closes a record for voting. Its votes are kept.
   *
   * @returns false if the record does not exist.
   */
  async close(id: string): Promise<boolean> {
    const changed = await this.#database.transaction(trx =>
      trx('feedback').where({ id }).update({ voting_open: false }),
    );
    return changed > 0;
  }

  /** Adds the vote of a user; only the first one counts. */
  async cast(
    id: string,
    vote: { voter: string; at: number },
  ): Promise<Feedback | Refusal> {
    return this.#database.transaction(async trx => {
      const before = await this.lock(trx, id);
      if (!before) {
        return 'missing';
      }
      if (!isOpenForVoting(before)) {
        return before.voting === null ? 'missing' : 'closed';
      }
      return { ...before, votes: await this.insert(trx, before, vote) };
    });
  }

  /**
   * Withdraws the vote of a user, if there is one.
   *
   * @returns the number of withdrawn votes, 0 or 1; undefined if the record does not exist or was
   *   never open for voting.
   */
  async withdraw(
    id: string,
    { voter, at }: { voter: string; at: number },
  ): Promise<number | undefined> {
    return this.#database.transaction(async trx => {
      const before = await this.lock(trx, id);
      if (!before?.voting) {
        return undefined;
      }
      const withdrawn = await trx('feedback_votes')
        .where({ feedback_id: id, voter })
        .update({ voter: null, withdrawn_at: at });
      await trx('feedback').where({ id }).decrement('votes', withdrawn);
      await forgetVote(trx, { mergedInto: id, voter });
      return withdrawn;
    });
  }

  /** Returns the ids of the given records that a user has voted for. */
  async votedBy(voter: string, ids: readonly string[]): Promise<Set<string>> {
    const voted: string[] = await this.#database
      .knex('feedback_votes')
      .where({ voter })
      .whereIn('feedback_id', [...ids])
      .pluck('feedback_id');
    return new Set(voted);
  }

  /**
   * Returns duplicates that a user voted for: the one with the given id, or all that were merged
   * into the given records.
   */
  votedDuplicates(
    voter: string,
    which: { id: string } | { mergedInto: readonly string[] },
  ): Promise<VotedDuplicate[]> {
    return findVotedDuplicates(this.#database.knex, voter, which);
  }

  /** Returns a page of the votes for a record or of a user, newest first, and the total number. */
  async list(
    whose: { feedbackId: string } | { voter: string },
    page: { number: number; size: number },
  ): Promise<{ votes: Vote[]; total: number }> {
    const chosen = () =>
      this.#database
        .knex('feedback_votes')
        .join('feedback', 'feedback.id', 'feedback_id')
        .where(
          'feedbackId' in whose ? { feedback_id: whose.feedbackId } : whose,
        )
        .whereNotNull('voter');
    const rows: (Omit<Vote, 'at'> & { at: number | string })[] = await chosen()
      .orderBy([
        { column: 'feedback_votes.created_at', order: 'desc' },
        { column: 'feedback_votes.id', order: 'desc' },
      ])
      .limit(page.size)
      .offset((page.number - 1) * page.size)
      .select({
        feedbackId: 'feedback_id',
        title: 'voting_title',
        voter: 'voter',
        at: 'feedback_votes.created_at',
      });
    const counted = await chosen().count({ total: '*' }).first();
    return {
      votes: rows.map(row => ({ ...row, at: Number(row.at) })),
      total: Number(counted?.total ?? 0),
    };
  }

  /** Finds the voter and the record of a vote; undefined if the vote was withdrawn. */
  async find(
    id: string,
  ): Promise<{ voter: string; feedbackId: string } | undefined> {
    const row = await this.#database
      .knex('feedback_votes')
      .where({ id })
      .whereNotNull('voter')
      .first('voter', 'feedback_id');
    return row && { voter: row.voter, feedbackId: row.feedback_id };
  }

  /** Withdraws all votes of a user. @returns how many there were. */
  async erase(voter: string, { at }: { at: number }): Promise<number> {
    let erased = 0;
    let found: string[];
    do {
      found = await this.#database
        .knex('feedback_votes')
        .where({ voter })
        .orderBy('feedback_id')
        .pluck('feedback_id');
      for (const id of found) {
        erased +=
          (await this.withdraw(id, { voter, at })) ??
          // Replicas of the previous version delete records without their votes.
          (await this.#deleteVote(id, voter));
      }
      // A merge may have moved votes to other records in the meantime.
    } while (found.length > 0);
    await this.#database.transaction(trx => forgetVoter(trx, voter));
    return erased;
  }

  async #deleteVote(id: string, voter: string): Promise<number> {
    return this.#database.transaction(trx =>
      trx('feedback_votes').where({ feedback_id: id, voter }).delete(),
    );
  }

  /** Deletes votes that were withdrawn before a time. */
  async purge(before: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('feedback_votes').where('withdrawn_at', '<', before).delete(),
    );
  }

  /** Locks a record, so that concurrent changes of its votes run one after another. */
  async lock(trx: Knex.Transaction, id: string): Promise<Feedback | undefined> {
    const found = trx<FeedbackRow>('feedback').where({ id });
    if (this.#database.client === 'postgres') {
      found.forUpdate();
    }
    const row = await found.first();
    return row && fromRow(row);
  }

  /**
   * Adds a vote for a locked record, unless the user has already voted for it.
   *
   * @param vote.isFromDuplicate - true if the vote comes from a duplicate of the record.
   * @returns the number of votes afterwards.
   */
  async insert(
    trx: Knex.Transaction,
    { id, votes }: Feedback,
    vote: { voter: string; at: number; isFromDuplicate?: boolean },
  ): Promise<number> {
    const { voter, at, isFromDuplicate: from_duplicate = false } = vote;
    const added = await trx('feedback_votes')
      .insert({
        id: `vt_${v7()}`,
        feedback_id: id,
        voter,
        created_at: at,
        from_duplicate,
      })
      .onConflict(['feedback_id', 'voter'])
      .ignore()
      .returning('id');
    if (added.length > 0) {
      await trx('feedback')
        .where({ id })
        .update({ votes: votes + 1 });
    } else if (!from_duplicate) {
      // A vote that came from a duplicate is now also one for the record itself.
      await trx('feedback_votes')
        .where({ feedback_id: id, voter })
        .update({ from_duplicate });
    }
    return votes + added.length;
  }
}
