import { type Database, LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { MACHINES } from '../feedback/Feedback.ts';
import type { Reply } from '../replies/Reply.ts';
import { QUEUES } from './FeedbackStore.ts';

/** The reason why {@link ReplyStore.add} added nothing. */
type Refusal = 'full' | 'missing';

/** Stores the threads of feedback. */
export class ReplyStore {
  /** Replies whose recipients have to be notified. */
  readonly notices: LeasedQueue<object>;
  readonly #database: Database;

  constructor({ database }: { database: Database }) {
    this.#database = database;
    this.notices = new LeasedQueue({ database, name: QUEUES.replies });
  }

  /** Reads a thread, oldest first. */
  async list(
    feedbackId: string,
    { withInternal }: { withInternal: boolean },
  ): Promise<Reply[]> {
    const { knex } = this.#database;
    const rows: ReplyRow[] = await inOrder(threadOf(knex, feedbackId));
    return rows
      .map(fromRow)
      .filter(({ isInternal }) => withInternal || !isInternal);
  }

  async find(id: string): Promise<Reply | undefined> {
    const row: ReplyRow | undefined = await this.#database
      .knex('feedback_replies')
      .where({ id })
      .first();
    return row && fromRow(row);
  }

  /**
   * Adds a reply at the end of its thread, unless the same request already added it, and enqueues
   * its notice unless it is an internal note.
   *
   * @param options.most - maximum number of replies of the sender, and of replies and notes of
   *   admins.
   * @param options.requestKey - identifies the request; null if it cannot be repeated.
   * @param options.announce - called within the same transaction, unless it is a note.
   * @returns the reply, or the one that the request already added. Its time is later than that of
   *   all earlier replies, because the clocks of replicas differ and two writers may not get the
   *   lock in the order of their times.
   */
  async add(
    draft: Reply,
    options: {
      most: number;
      requestKey: string | null;
      announce(trx: Knex.Transaction, reply: Reply): Promise<void>;
    },
  ): Promise<Reply | Refusal> {
    const { feedbackId, isInternal, isFromSender } = draft;
    const { requestKey } = options;
    return this.#database.transaction(async trx => {
      if (!(await this.#lock(trx, feedbackId))) {
        return 'missing';
      }
      if (requestKey !== null) {
        const earlier: ReplyRow | undefined = await trx('feedback_replies')
          .where({ request_key: requestKey })
          .first();
        if (earlier) {
          return fromRow(earlier);
        }
      }
      const counted = await threadOf(trx, feedbackId)
        .where({ from_sender: isFromSender })
        .count({ total: '*' })
        .first();
      if (Number(counted?.total) >= options.most) {
        return 'full';
      }
      const latest = await threadOf(trx, feedbackId)
        .max({ at: 'created_at' })
        .first();
      const after = Number(latest?.at ?? 0) + 1;
      const reply = { ...draft, createdAt: Math.max(draft.createdAt, after) };
      await trx('feedback_replies').insert(toRow(reply, requestKey));
      if (!isInternal) {
        await trx('feedback')
          .where({ id: feedbackId })
          .increment('reply_count', 1)
          .update({ awaits_reply: isFromSender });
        await this.notices.enqueue(trx, [
          {
            id: reply.id,
            lane: feedbackId,
            payload: {},
            createdAt: draft.createdAt,
          },
        ]);
        await options.announce(trx, reply);
      }
      return reply;
    });
  }

  /**
   * Deletes a reply and its pending notice. The record awaits a reply again if this was the only
   * response to the sender's last reply.
   */
  async delete({ id, feedbackId, ...deleted }: Reply): Promise<void> {
    await this.#database.transaction(async trx => {
      const record = await this.#lock(trx, feedbackId);
      if (!record) {
        return;
      }
      await trx('feedback_replies').where({ id }).delete();
      await trx('kit_queue').where({ queue: QUEUES.replies, id }).delete();
      const rows: ReplyRow[] = await inOrder(threadOf(trx, feedbackId));
      const replies = rows.map(fromRow).filter(each => !each.isInternal);
      const last = replies.at(-1);
      const wasLast =
        !deleted.isInternal && deleted.createdAt > (last?.createdAt ?? 0);
      const wasAnswer = wasLast && !deleted.isFromSender;
      await trx('feedback')
        .where({ id: feedbackId })
        .update({
          reply_count: replies.length,
          awaits_reply:
            last !== undefined &&
            last.isFromSender &&
            (wasAnswer || Boolean(record.awaits_reply)) &&
            // A status change by an admin who had not seen the last reply does not respond to it.
            (!wasLast ||
              !(await hasTriaged(trx, { feedbackId, since: last.createdAt }))),
        });
    });
  }

  /** Locks a record, so that concurrent changes of its thread run one after another. */
  async #lock(
    trx: Knex.Transaction,
    feedbackId: string,
  ): Promise<{ awaits_reply: boolean | number } | undefined> {
    const found = trx('feedback').where({ id: feedbackId });
    if (this.#database.client === 'postgres') {
      found.forUpdate();
    }
    return found.first('awaits_reply');
  }
}

/** Checks whether an admin has changed the status of a record since a time. */
async function hasTriaged(
  trx: Knex.Transaction,
  { feedbackId, since }: { feedbackId: string; since: number },
): Promise<boolean> {
  const change = await trx('feedback_history')
    .where({ feedback_id: feedbackId })
    .where('at', '>', since)
    .whereNotIn('actor', Object.values(MACHINES))
    .first('number');
  return change !== undefined;
}

function threadOf(knex: Knex, feedbackId: string): Knex.QueryBuilder {
  return knex('feedback_replies').where({ feedback_id: feedbackId });
}

function inOrder(thread: Knex.QueryBuilder): Knex.QueryBuilder {
  return thread.orderBy(['created_at', 'id']);
}

/**
 * A row of `feedback_replies`; PostgreSQL returns big integers as strings, SQLite returns booleans
 * as numbers.
 */
interface ReplyRow {
  id: string;
  feedback_id: string;
  author: string;
  author_name: string;
  from_sender: boolean | number;
  internal: boolean | number;
  message: string;
  created_at: number | string;
  request_key: string | null;
}

function toRow(reply: Reply, requestKey: string | null): ReplyRow {
  return {
    id: reply.id,
    feedback_id: reply.feedbackId,
    author: reply.author,
    author_name: reply.authorName,
    from_sender: reply.isFromSender,
    internal: reply.isInternal,
    message: reply.message,
    created_at: reply.createdAt,
    request_key: requestKey,
  };
}

function fromRow(row: ReplyRow): Reply {
  return {
    id: row.id,
    feedbackId: row.feedback_id,
    author: row.author,
    authorName: row.author_name,
    isFromSender: Boolean(row.from_sender),
    isInternal: Boolean(row.internal),
    message: row.message,
    createdAt: Number(row.created_at),
  };
}
