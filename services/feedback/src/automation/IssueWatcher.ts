import type { Database } from '@slipway/service-kit';
import type { TransactionalFeedbackStore } from '../feedback/FeedbackStore.ts';
import type { Status } from '../feedback/Feedback.ts';
import type { Tracker } from './Tracker.ts';

/** How far back a first look goes: longer than the service is ever down. */
const FIRST_LOOK_MS = 30 * 24 * 3_600_000;
const AT_ONCE = 200;

/** Moves records on when their issues are closed. */
export class IssueWatcher {
  readonly #database: Database;
  readonly #feedback: TransactionalFeedbackStore;
  readonly #tracker: Tracker;
  readonly #now: () => number;
  #lookedAt: number | undefined;

  constructor(options: {
    database: Database;
    feedback: TransactionalFeedbackStore;
    tracker: Tracker;
    now: () => number;
  }) {
    this.#database = options.database;
    this.#feedback = options.feedback;
    this.#tracker = options.tracker;
    this.#now = options.now;
  }

  /** Asks the tracker what was closed since the last look, if anything waits for that. */
  async look(): Promise<void> {
    const waiting = await this.#database
      .knex('feedback')
      .where({ issue_tracker: this.#tracker.name, status: 'in_progress' })
      .first('id');
    const now = this.#now();
    if (waiting) {
      const since = this.#lookedAt ?? now - FIRST_LOOK_MS;
      await this.follow(await this.#tracker.closedSince(since), 'closed');
    }
    this.#lookedAt = now;
  }

  /** Closed issues resolve what is in progress; opened again, they take that back. */
  async follow(
    numbers: readonly number[],
    state: 'open' | 'closed',
  ): Promise<void> {
    const [from, to]: Status[] =
      state === 'closed'
        ? ['in_progress', 'resolved']
        : ['resolved', 'in_progress'];
    for (let start = 0; start < numbers.length; start += AT_ONCE) {
      await this.#database.transaction(async trx => {
        const due = trx('feedback')
          .where({ issue_tracker: this.#tracker.name, status: from })
          .whereIn('issue_number', numbers.slice(start, start + AT_ONCE))
          .select('id', 'issue_number');
        if (this.#database.client === 'postgres') {
          // Every replica looks: each move is made by one of them.
          due.forUpdate();
        }
        const rows: { id: string; issue_number: number }[] = await due;
        for (const { id, issue_number } of rows) {
          await this.#feedback.changeStatusIn(trx, id, {
            at: this.#now(),
            actor: 'tracker',
            to,
            notes: `Issue ${issue_number} was ${
              state === 'closed' ? 'closed' : 'opened again'
            }`,
          });
        }
      });
    }
  }
}
