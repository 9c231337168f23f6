import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { noteForSender } from '../notices/noteForSender.ts';
import type { Screenshot } from '../screenshots/Screenshot.ts';
import type { Feedback, StatusChange } from './Feedback.ts';
import type {
  FeedbackFilter,
  FeedbackPage,
  TransactionalFeedbackStore,
} from './FeedbackStore.ts';
import { narrow } from './narrow.ts';
import { type FeedbackRow, fromRow, toRow } from './rows.ts';

/** Feedback in the service's own database. */
export class DatabaseFeedbackStore implements TransactionalFeedbackStore {
  readonly #database: Database;

  constructor(options: { database: Database }) {
    this.#database = options.database;
  }

  async add(
    feedback: Feedback,
    options: { screenshot?: Screenshot; sourceKey?: string } = {},
  ): Promise<Feedback> {
    const { screenshot, sourceKey = null } = options;
    return this.#database.transaction(async trx => {
      const insertion = trx('feedback').insert(toRow(feedback, sourceKey));
      if (sourceKey === null) {
        await insertion;
      } else {
        await insertion.onConflict('source_key').ignore();
        const row = await trx<FeedbackRow>('feedback')
          .where({ source_key: sourceKey })
          .first();
        if (row && row.id !== feedback.id) {
          return fromRow(row);
        }
      }
      if (screenshot) {
        await trx('screenshots').insert({
          feedback_id: feedback.id,
          ...screenshot,
        });
      }
      return feedback;
    });
  }

  async find(id: string): Promise<Feedback | undefined> {
    const row = await this.#database
      .knex<FeedbackRow>('feedback')
      .where({ id })
      .first();
    return row && fromRow(row);
  }

  async list(
    filter: FeedbackFilter,
    page: { number: number; size: number },
  ): Promise<FeedbackPage> {
    const { knex } = this.#database;
    const rows: Promise<FeedbackRow[]> = narrow(knex('feedback'), filter)
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(page.size)
      .offset((page.number - 1) * page.size)
      .then(found => found);
    const count: Promise<{ total: number | string } | undefined> = narrow(
      knex('feedback'),
      filter,
    )
      .count({ total: '*' })
      .first()
      .then(found => found);
    const [feedback, counted] = await Promise.all([rows, count]);
    return {
      feedback: feedback.map(fromRow),
      total: Number(counted?.total ?? 0),
    };
  }

  async screenshot(id: string): Promise<Screenshot | undefined> {
    const row: Screenshot | undefined = await this.#database
      .knex('screenshots')
      .where({ feedback_id: id })
      .first('type', 'bytes');
    return row;
  }

  async history(id: string): Promise<StatusChange[]> {
    const rows = await this.#database
      .knex('feedback_history')
      .where({ feedback_id: id })
      .orderBy('number');
    return rows.map(row => ({
      at: Number(row.at),
      actor: row.actor,
      from: row.from_status,
      to: row.to_status,
      notes: row.notes,
    }));
  }

  async changeStatus(
    id: string,
    change: Omit<StatusChange, 'from'>,
  ): Promise<Feedback | undefined> {
    return this.#database.transaction(trx =>
      this.changeStatusIn(trx, id, change),
    );
  }

  async changeStatusIn(
    trx: Knex.Transaction,
    id: string,
    change: Omit<StatusChange, 'from'>,
  ): Promise<Feedback | undefined> {
    const found = trx<FeedbackRow>('feedback').where({ id });
    if (this.#database.client === 'postgres') {
      // Two moves at a time: each must say what it moved from.
      found.forUpdate();
    }
    const row = await found.first();
    if (!row) {
      return undefined;
    }
    const before = fromRow(row);
    const after = { ...before, status: change.to, updatedAt: change.at };
    await trx('feedback')
      .where({ id })
      .update({ status: after.status, updated_at: after.updatedAt });
    if (before.status !== after.status || change.notes !== '') {
      await trx('feedback_history').insert({
        feedback_id: id,
        at: change.at,
        actor: change.actor,
        from_status: before.status,
        to_status: change.to,
        notes: change.notes,
      });
    }
    await noteForSender(trx, { before, after, now: change.at });
    return after;
  }
}
