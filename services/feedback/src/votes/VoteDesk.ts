import { ConflictError, NotFoundError } from '@slipway/service-kit';
import type { Feedback } from '../feedback/Feedback.ts';
import type { FeedbackMerge } from '../storage/FeedbackMerge.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { VoteStore } from '../storage/VoteStore.ts';

/** The part of a record that every user may see; nothing in it comes from its sender. */
export interface Ballot {
  readonly feedback: Feedback & {
    readonly voting: NonNullable<Feedback['voting']>;
  };
  /** True if the user has voted for the record. */
  readonly hasVoted: boolean;
  /**
   * The title of the record that this one was merged into. Undefined in lists, if this record is not
   * a duplicate, and if the user may not see the other record.
   */
  readonly mergedTitle?: string;
}

/** Dependencies of {@link VoteDesk}. */
interface VoteDeskOptions {
  feedback: FeedbackStore;
  votes: VoteStore;
  merges: FeedbackMerge;
  now: () => number;
}

/** Lets users vote for feedback that admins have opened for voting. */
export class VoteDesk {
  readonly #options: VoteDeskOptions;

  constructor(options: VoteDeskOptions) {
    this.#options = options;
  }

  /**
   * Returns the public part of a record. Users may see it if it is open for voting, or if they have
   * voted for it, including before it was merged into another record.
   *
   * @param user.isAdmin - whether the user may triage, and may therefore see closed records.
   * @throws NotFoundError if the record does not exist, or the user may not see any of it.
   */
  async read(
    id: string,
    user: { id: string; isAdmin: boolean },
  ): Promise<Ballot> {
    const ballot = await this.#find(id, user);
    if (!ballot) {
      throw new NotFoundError('Feedback not found');
    }
    const { mergedInto } = ballot.feedback;
    const target =
      mergedInto === null ? undefined : await this.#find(mergedInto, user);
    return { ...ballot, mergedTitle: target?.feedback.voting.title };
  }

  /** Like {@link read}, but returns undefined instead of throwing, and omits the title of the target. */
  async #find(
    id: string,
    user: { id: string; isAdmin: boolean },
  ): Promise<Ballot | undefined> {
    const { feedback, votes } = this.#options;
    const [ballot] = await this.present([await feedback.find(id)], user.id);
    const maySee =
      ballot !== undefined &&
      (ballot.feedback.voting.isOpen ||
        ballot.hasVoted ||
        user.isAdmin ||
        (await votes.votedDuplicates(user.id, { id })).length > 0);
    return maySee ? ballot : undefined;
  }

  /**
   * Returns records with whether a user has voted for each; omits records that were never open for
   * voting.
   */
  async present(
    records: readonly (Feedback | undefined)[],
    voter: string,
  ): Promise<Ballot[]> {
    const published = records.flatMap(record =>
      record?.voting ? [{ ...record, voting: record.voting }] : [],
    );
    const voted = await this.#options.votes.votedBy(
      voter,
      published.map(({ id }) => id),
    );
    return published.map(feedback => ({
      feedback,
      hasVoted: voted.has(feedback.id),
    }));
  }

  /**
   * Opens a record for voting, or changes its title or its public note.
   *
   * @param change - see {@link VoteStore.open}.
   * @throws NotFoundError if the record does not exist.
   * @throws ConflictError if the record is a duplicate, if it is not open for voting and no title is
   *   given, or if its public note is no longer the one that the actor has seen.
   */
  async open(
    id: string,
    change: { title?: string; note?: string; seenNote?: string; actor: string },
  ): Promise<Feedback> {
    const { votes, now } = this.#options;
    return settled(await votes.open(id, { ...change, at: now() }));
  }

  /**
   * Closes a record for voting.
   *
   * @throws NotFoundError if the record does not exist.
   */
  async close(id: string): Promise<void> {
    if (!(await this.#options.votes.close(id))) {
      throw new NotFoundError('Feedback not found');
    }
  }

  /**
   * Adds the vote of a user; voting again has no effect.
   *
   * @throws NotFoundError if the record does not exist, or was never open for voting.
   * @throws ConflictError if it is no longer open for voting.
   */
  async vote(id: string, voter: string): Promise<Ballot> {
    const { votes, now } = this.#options;
    const feedback = settled(await votes.cast(id, { voter, at: now() }));
    const [ballot] = await this.present([feedback], voter);
    return ballot;
  }

  /**
   * Withdraws the vote of a user, if there is one.
   *
   * @throws NotFoundError if the record does not exist, or was never open for voting.
   */
  async takeBack(id: string, voter: string): Promise<void> {
    const { votes, now } = this.#options;
    const withdrawn = await votes.withdraw(id, { voter, at: now() });
    if (withdrawn === undefined) {
      throw new NotFoundError('Feedback not found');
    }
  }

  /**
   * Archives a record as a duplicate of another one, which gets its votes and that of its sender.
   *
   * @param by.seenReplies - the number of replies to the duplicate that the actor has seen; undefined
   *   for all.
   * @returns the other record.
   * @throws NotFoundError if one of them does not exist.
   * @throws ConflictError if both are the same, the first is already a duplicate, or the second is
   *   not open for voting, so that the sender of the first could not see it.
   */
  async merge(
    id: string,
    into: string,
    by: { actor: string; seenReplies?: number },
  ): Promise<Feedback> {
    const { merges, now } = this.#options;
    if (id === into) {
      throw new ConflictError('Feedback cannot be merged into itself');
    }
    const outcome = await merges.merge(id, into, { ...by, at: now() });
    if (outcome === 'closed') {
      throw new ConflictError('The feedback of into is not open for voting');
    }
    return settled(outcome);
  }

  /**
   * Separates a duplicate from the record that it was merged into, and restores its votes. Has no
   * effect on a record that is not a duplicate.
   *
   * @throws NotFoundError if the record does not exist.
   */
  async undoMerge(id: string, actor: string): Promise<void> {
    const { merges, now } = this.#options;
    if (!(await merges.undo(id, { actor, at: now() }))) {
      throw new NotFoundError('Feedback not found');
    }
  }
}

/**
 * Returns the changed record, or throws the error for the reason why nothing changed.
 *
 * @throws NotFoundError
 * @throws ConflictError
 */
function settled(
  outcome: Feedback | 'missing' | 'merged' | 'closed' | 'changed',
): Feedback {
  switch (outcome) {
    case 'missing':
      throw new NotFoundError('Feedback not found');
    case 'merged':
      throw new ConflictError('This feedback was merged into another entry');
    case 'closed':
      throw new ConflictError('This feedback is not open for voting');
    case 'changed':
      throw new ConflictError(
        'The public note has been changed in the meantime',
      );
    default:
      return outcome;
  }
}
