import { type Database, LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type {
  Feedback,
  Source,
  Status,
  StatusChange,
} from '../feedback/Feedback.ts';
import type { Screenshot } from '../screenshots/Screenshot.ts';
import type { Priority, Sentiment } from '../sentiment/sentimentOf.ts';
import { type FeedbackFilter, narrow } from './narrow.ts';

/** One page of a list, and the total number of records. */
export interface FeedbackPage {
  readonly feedback: Feedback[];
  readonly total: number;
}

/** The names of the queues of work that follows from a change of status. */
export const QUEUES = {
  intents: 'tracker-intents',
  notices: 'sender-notices',
} as const;

/**
 * Stores feedback in the service's database. Work that follows from a change of status is enqueued
 * in the same transaction, under the id of the record.
 */
export class FeedbackStore {
  /** Validated records that have no issue yet. */
  readonly intents: LeasedQueue<object>;
  /** Resolved records whose senders have to be notified. */
  readonly notices: LeasedQueue<object>;
  readonly #database: Database;

  constructor({ database }: { database: Database }) {
    this.#database = database;
    this.intents = new LeasedQueue({ database, name: QUEUES.intents });
    this.notices = new LeasedQueue({ database, name: QUEUES.notices });
  }

  /**
   * Resolves once the record and its screenshot are on disk.
   *
   * @param options.sourceKey - the message that the record came from.
   * @returns the record; the existing one if the message was stored before.
   */
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

  /** Lists records, newest first. */
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

  /** Reads the changes of a record, oldest first. */
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

  /**
   * Changes the status of a record and records the change; if the status is the same, only the
   * notes change.
   *
   * @returns the record afterwards; undefined if not found.
   */
  async changeStatus(
    id: string,
    change: Omit<StatusChange, 'from'>,
  ): Promise<Feedback | undefined> {
    return this.#database.transaction(trx =>
      this.changeStatusIn(trx, id, change),
    );
  }

  /** Changes the status like {@link changeStatus}, within a larger transaction. */
  async changeStatusIn(
    trx: Knex.Transaction,
    id: string,
    change: Omit<StatusChange, 'from'>,
  ): Promise<Feedback | undefined> {
    const found = trx<FeedbackRow>('feedback').where({ id });
    if (this.#database.client === 'postgres') {
      // Locked, so that of two concurrent changes each records the correct previous status.
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
    if (before.status !== after.status) {
      await this.#enqueueWork(trx, { before, after });
    }
    return after;
  }

  /**
   * Reopened records are not announced, and records that are no longer validated do not become
   * issues.
   */
  async #enqueueWork(
    trx: Knex.Transaction,
    { before, after }: { before: Feedback; after: Feedback },
  ): Promise<void> {
    const { id, updatedAt, createdAt, sender } = after;
    const item = { id, payload: {}, createdAt: updatedAt };
    if (after.status === 'resolved' && sender.author?.startsWith('user:')) {
      await this.notices.enqueue(trx, [item]);
    } else if (before.status === 'resolved') {
      await this.notices.cancel(trx, id);
    }
    if (after.status === 'validated' && after.issue === null) {
      // Issues are created in the order in which feedback was submitted.
      await this.intents.enqueue(trx, [{ ...item, dueAt: createdAt }]);
    } else if (before.status === 'validated') {
      await this.intents.cancel(trx, id);
    }
  }
}

/**
 * A row of `feedback`; PostgreSQL returns big integers as strings, SQLite returns booleans as
 * numbers.
 */
export interface FeedbackRow {
  id: string;
  rating: number;
  rating_inferred: boolean | number;
  category: string;
  message: string;
  page: string | null;
  component: string | null;
  occurred_at: number | string;
  author: string | null;
  user_name: string | null;
  user_email: string | null;
  anonymous: boolean | number;
  source: string;
  source_key: string | null;
  sentiment: string;
  priority: string;
  status: string;
  created_at: number | string;
  updated_at: number | string;
  screenshot_type: string | null;
  issue_tracker: string | null;
  issue_number: number | null;
  issue_url: string | null;
  issue_title: string | null;
}

/**
 * Converts a record to a row.
 *
 * @param sourceKey - the message that the record came from; null if there is none.
 */
export function toRow(
  feedback: Feedback,
  sourceKey: string | null,
): FeedbackRow {
  const { sender, issue } = feedback;
  return {
    id: feedback.id,
    rating: feedback.rating,
    rating_inferred: feedback.ratingInferred,
    category: feedback.category,
    message: feedback.message,
    page: feedback.page,
    component: feedback.component,
    occurred_at: feedback.occurredAt,
    author: sender.author,
    user_name: sender.name,
    user_email: sender.email,
    anonymous: sender.anonymous,
    source: feedback.source,
    source_key: sourceKey,
    sentiment: feedback.sentiment,
    priority: feedback.priority,
    status: feedback.status,
    created_at: feedback.createdAt,
    updated_at: feedback.updatedAt,
    screenshot_type: feedback.screenshotType,
    issue_tracker: issue?.tracker ?? null,
    issue_number: issue?.number ?? null,
    issue_url: issue?.url ?? null,
    issue_title: issue?.title ?? null,
  };
}

/**
 * Converts a row of SQLite or PostgreSQL to a record. It has an issue if the issue number is set.
 */
function fromRow(row: FeedbackRow): Feedback {
  return {
    id: row.id,
    rating: row.rating,
    ratingInferred: Boolean(row.rating_inferred),
    category: row.category,
    message: row.message,
    page: row.page,
    component: row.component,
    occurredAt: Number(row.occurred_at),
    sender: {
      author: row.author,
      name: row.user_name,
      email: row.user_email,
      anonymous: Boolean(row.anonymous),
    },
    source: row.source as Source,
    sentiment: row.sentiment as Sentiment,
    priority: row.priority as Priority,
    status: row.status as Status,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    screenshotType: row.screenshot_type,
    issue:
      row.issue_number === null
        ? null
        : {
            tracker: row.issue_tracker ?? '',
            number: row.issue_number,
            url: row.issue_url ?? '',
            title: row.issue_title ?? '',
          },
  };
}
