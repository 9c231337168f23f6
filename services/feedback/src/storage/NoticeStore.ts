import type { Database } from '@slipway/service-kit';

/** A sender who is to be told that the feedback is resolved. */
export interface Notice {
  readonly feedbackId: string;
  /** The entity reference of the user. */
  readonly author: string;
  readonly message: string;
  readonly attempts: number;
}

/** Remembers in the service's database who is still to be told. */
export class NoticeStore {
  readonly #database: Database;

  constructor(options: { database: Database }) {
    this.#database = options.database;
  }

  /** Takes notices that are due; others leave them alone for `leaseMs`. */
  async lease(options: {
    now: number;
    leaseMs: number;
    limit: number;
  }): Promise<Notice[]> {
    const { now, leaseMs, limit } = options;
    const leased = await this.#database.transaction(async trx => {
      const due = trx('notices')
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(limit)
        .select('feedback_id');
      if (this.#database.client === 'postgres') {
        due.forUpdate().skipLocked();
      }
      const rows: { feedback_id: string }[] = await trx('notices')
        .whereIn('feedback_id', due)
        .update({
          next_attempt_at: now + leaseMs,
          attempts: trx.raw('attempts + 1'),
        })
        .returning('feedback_id');
      return rows.map(row => row.feedback_id);
    });
    const rows: {
      id: string;
      author: string;
      message: string;
      attempts: number;
    }[] = await this.#database
      .knex('notices')
      .join('feedback', 'feedback.id', 'notices.feedback_id')
      .whereIn('notices.feedback_id', leased)
      .select('feedback.id', 'author', 'message', 'attempts');
    return rows.map(({ id, ...row }) => ({ ...row, feedbackId: id }));
  }

  /** Forgets a notice that was delivered, or that never will be. */
  async remove(feedbackId: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('notices').where({ feedback_id: feedbackId }).delete(),
    );
  }

  /** Puts a notice off until a time in milliseconds since the Unix epoch. */
  async postpone(feedbackId: string, until: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('notices')
        .where({ feedback_id: feedbackId })
        .update({ next_attempt_at: until }),
    );
  }
}
