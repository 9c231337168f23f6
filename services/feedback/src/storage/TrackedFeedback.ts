import type { Database } from '@slipway/service-kit';
import type { Status } from '../feedback/Feedback.ts';
import type { FeedbackStore } from './FeedbackStore.ts';

/** Issues of one tracker. */
interface Issues {
  tracker: string;
  numbers: readonly number[];
}

/** A change of the status of what became those issues. */
interface Move {
  from: Status;
  to: Status;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** Words the notes of the record with this issue. */
  notes(issue: number): string;
}

const AT_ONCE = 200;

/** Moves feedback that became issues. */
export class TrackedFeedback {
  readonly #database: Database;
  readonly #feedback: FeedbackStore;

  constructor(options: { database: Database; feedback: FeedbackStore }) {
    this.#database = options.database;
    this.#feedback = options.feedback;
  }

  /** Tells whether any record with an issue of a tracker is in progress. */
  async hasInProgress(tracker: string): Promise<boolean> {
    const found = await this.#database
      .knex('feedback')
      .where({ issue_tracker: tracker, status: 'in_progress' })
      .first('id');
    return found !== undefined;
  }

  /**
   * Moves what became one of some issues and has a status. Each move is made once,
   * however many ask for it at a time.
   */
  async move({ tracker, numbers }: Issues, change: Move): Promise<void> {
    for (let start = 0; start < numbers.length; start += AT_ONCE) {
      await this.#moveSome(
        { tracker, numbers: numbers.slice(start, start + AT_ONCE) },
        change,
      );
    }
  }

  async #moveSome(
    { tracker, numbers }: Issues,
    { from, to, at, notes }: Move,
  ): Promise<void> {
    await this.#database.transaction(async trx => {
      const due = trx('feedback')
        .where({ issue_tracker: tracker, status: from })
        .whereIn('issue_number', numbers)
        .select('id', 'issue_number');
      if (this.#database.client === 'postgres') {
        // Every replica looks: each move is made by one of them.
        due.forUpdate();
      }
      const rows: { id: string; issue_number: number }[] = await due;
      for (const { id, issue_number } of rows) {
        await this.#feedback.changeStatusIn(trx, id, {
          at,
          actor: 'tracker',
          to,
          notes: notes(issue_number),
        });
      }
    });
  }
}
