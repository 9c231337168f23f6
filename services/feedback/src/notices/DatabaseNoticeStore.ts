import type { Database } from '@slipway/service-kit';
import type { Notice, NoticeStore } from './NoticeStore.ts';

/** Notices in the service's own database. */
export class DatabaseNoticeStore implements NoticeStore {
  readonly #database: Database;

  constructor(options: { database: Database }) {
    this.#database = options.database;
  }

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

  async remove(feedbackId: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('notices').where({ feedback_id: feedbackId }).delete(),
    );
  }

  async postpone(feedbackId: string, until: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('notices')
        .where({ feedback_id: feedbackId })
        .update({ next_attempt_at: until }),
    );
  }
}
