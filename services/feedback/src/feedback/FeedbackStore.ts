import type { Knex } from 'knex';
import type { Screenshot } from '../screenshots/Screenshot.ts';
import type { TimeSpan } from '../periods/TimeSpan.ts';
import type { Feedback, Status, StatusChange } from './Feedback.ts';

/** What a list is narrowed to. */
export interface FeedbackFilter {
  readonly status?: Status;
  readonly category?: string;
  readonly rating?: number;
  readonly sentiment?: string;
  /** Part of the message, in any case. */
  readonly text?: string;
  readonly author?: string;
  readonly span?: Partial<TimeSpan>;
}

/** One page of a list, and how many there are in all. */
export interface FeedbackPage {
  readonly feedback: Feedback[];
  readonly total: number;
}

/** Where feedback is kept. */
export interface FeedbackStore {
  /**
   * Resolves once the record and its screenshot are on disk.
   *
   * @param options.sourceKey - of the message that it came from.
   * @returns the record; the earlier one where that message was stored before.
   */
  add(
    feedback: Feedback,
    options?: { screenshot?: Screenshot; sourceKey?: string },
  ): Promise<Feedback>;
  find(id: string): Promise<Feedback | undefined>;
  /** Newest first. */
  list(
    filter: FeedbackFilter,
    page: { number: number; size: number },
  ): Promise<FeedbackPage>;
  screenshot(id: string): Promise<Screenshot | undefined>;
  /** Oldest first. */
  history(id: string): Promise<StatusChange[]>;
  /**
   * Moves a record and writes the move down; to where it is already, its notes alone.
   *
   * @returns the record as it is then; undefined when there is none.
   */
  changeStatus(
    id: string,
    change: Omit<StatusChange, 'from'>,
  ): Promise<Feedback | undefined>;
}

/** A store whose moves can be part of a larger transaction. */
export interface TransactionalFeedbackStore extends FeedbackStore {
  changeStatusIn(
    trx: Knex.Transaction,
    id: string,
    change: Omit<StatusChange, 'from'>,
  ): Promise<Feedback | undefined>;
}
