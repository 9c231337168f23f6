import type { Database } from '@slipway/service-kit';
import type { TransactionalFeedbackStore } from '../feedback/FeedbackStore.ts';
import type { TrackedFeedback } from './TrackedFeedback.ts';

const AT_ONCE = 200;

/** Feedback with issues in the service's own database. */
export class DatabaseTrackedFeedback implements TrackedFeedback {
  readonly #database: Database;
  readonly #feedback: TransactionalFeedbackStore;

  constructor(options: {
    database: Database;
    feedback: TransactionalFeedbackStore;
  }) {
    this.#database = options.database;
    this.#feedback = options.feedback;
  }

  async hasInProgress(tracker: string): Promise<boolean> {
    const found = await this.#database
      .knex('feedback')
      .where({ issue_tracker: tracker, status: 'in_progress' })
      .first('id');
    return found !== undefined;
  }

  async move(
    issues: Parameters<TrackedFeedback['move']>[0],
    change: Parameters<TrackedFeedback['move']>[1],
  ): Promise<void> {
    const { tracker, numbers } = issues;
    for (let start = 0; start < numbers.length; start += AT_ONCE) {
      await this.#moveSome(
        { tracker, numbers: numbers.slice(start, start + AT_ONCE) },
        change,
      );
    }
  }

  async #moveSome(
    { tracker, numbers }: Parameters<TrackedFeedback['move']>[0],
    { from, to, at, notes }: Parameters<TrackedFeedback['move']>[1],
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
