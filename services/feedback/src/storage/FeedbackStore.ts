import { type Database, LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Feedback, StatusChange } from '../feedback/Feedback.ts';
import type { Screenshot } from '../screenshots/Screenshot.ts';
import { type FeedbackRow, fromRow, toRow } from './FeedbackRow.ts';
import { type FeedbackFilter, narrow } from './narrow.ts';
import { ScreenshotStore } from './ScreenshotStore.ts';
import { tellSender } from './tellSender.ts';
import { tellVoters } from './tellVoters.ts';

/** One page of a list, and the total number of records. */
export interface FeedbackPage {
  readonly feedback: Feedback[];
  readonly total: number;
}

/** The order of a list: newest first, or by the number of votes up to a time, most first. */
export type FeedbackOrder =
  | 'newest'
  | {
      /**
       * In milliseconds since the Unix epoch, exclusive: later votes do not change the order, so that
       * the pages of a list neither repeat nor skip records. At most an hour ago.
       */
      readonly votesUntil: number;
    };

/** A change of status by an admin. */
type TriageChange = Omit<StatusChange, 'from'> & {
  /**
   * The number of replies that the admin has seen: a record with more still awaits a reply. All if
   * undefined.
   */
  readonly seenReplies?: number;
};

/** Names of the queues of work on records. The lane of an item is the id of its record. */
export const QUEUES = {
  intents: 'tracker-intents',
  notices: 'sender-notices',
  replies: 'reply-notices',
  votes: 'vote-notices',
} as const;

/**
 * Stores feedback in the service's database. Work that follows from a change of status is enqueued
 * in the same transaction, under the id of the record.
 */
export class FeedbackStore {
  /** Validated records that have no issue yet. */
  readonly intents: LeasedQueue<object>;
  /** Resolved and archived records whose senders have to be notified. */
  readonly notices: LeasedQueue<object>;
  /**
   * Votes whose voters have to be notified of a status or a public note, with ids `<vote>:<news>`.
   */
  readonly voteNotices: LeasedQueue<object>;
  readonly #database: Database;
  readonly #screenshots: ScreenshotStore;

  /** @param options.screenshots - by default, a store without a quota. */
  constructor(options: { database: Database; screenshots?: ScreenshotStore }) {
    const { database, screenshots = new ScreenshotStore({ database }) } =
      options;
    this.#database = database;
    this.#screenshots = screenshots;
    this.intents = new LeasedQueue({ database, name: QUEUES.intents });
    this.notices = new LeasedQueue({ database, name: QUEUES.notices });
    this.voteNotices = new LeasedQueue({ database, name: QUEUES.votes });
  }

  /**
   * Stores a record, with its screenshot if there is space for it. Resolves once both are on disk.
   *
   * @param options.sourceKey - identifies the message that the record came from.
   * @returns the record as stored, or the existing one if the message was stored before.
   */
  async add(
    submitted: Feedback,
    options: { screenshot?: Screenshot; sourceKey?: string } = {},
  ): Promise<Feedback> {
    const { screenshot, sourceKey = null } = options;
    return this.#database.transaction(async trx => {
      const isKept =
        screenshot !== undefined &&
        (await this.#screenshots.fits(trx, screenshot));
      const feedback = isKept
        ? submitted
        : { ...submitted, screenshotType: null };
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
      if (isKept) {
        await this.#screenshots.add(trx, feedback.id, screenshot);
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

  /** Lists records. */
  async list(
    filter: FeedbackFilter,
    page: { number: number; size: number; order?: FeedbackOrder },
  ): Promise<FeedbackPage> {
    const { knex } = this.#database;
    const found = narrow(knex('feedback'), filter);
    if (page.order !== undefined && page.order !== 'newest') {
      orderByVotes(found, tallyUntil(knex, page.order.votesUntil));
    }
    const rows: Promise<FeedbackRow[]> = found
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(page.size)
      .offset((page.number - 1) * page.size)
      .then(all => all);
    const count: Promise<{ total: number | string } | undefined> = narrow(
      knex('feedback'),
      filter,
    )
      .count({ total: '*' })
      .first()
      .then(all => all);
    const [feedback, counted] = await Promise.all([rows, count]);
    return {
      feedback: feedback.map(fromRow),
      total: Number(counted?.total ?? 0),
    };
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
   * Changes the status of a record for an admin, and records the change. If the status stays the
   * same, only the notes change. The record no longer awaits a reply, unless it has replies that
   * the admin has not seen.
   *
   * @returns the record after the change; undefined if not found.
   */
  async changeStatus(
    id: string,
    change: TriageChange,
  ): Promise<Feedback | undefined> {
    return this.#database.transaction(trx => this.triageIn(trx, id, change));
  }

  /** Changes the status like {@link changeStatus}, within a larger transaction. */
  async triageIn(
    trx: Knex.Transaction,
    id: string,
    { seenReplies = Infinity, ...change }: TriageChange,
  ): Promise<Feedback | undefined> {
    const after = await this.changeStatusIn(trx, id, change);
    if (!after?.awaitsReply || after.replyCount > seenReplies) {
      return after;
    }
    await trx('feedback').where({ id }).update({ awaits_reply: false });
    return { ...after, awaitsReply: false };
  }

  /**
   * Changes the status within a larger transaction; does not change whether the record awaits a
   * reply.
   */
  async changeStatusIn(
    trx: Knex.Transaction,
    id: string,
    change: Omit<StatusChange, 'from'>,
  ): Promise<Feedback | undefined> {
    const found = trx<FeedbackRow>('feedback').where({ id });
    if (this.#database.client === 'postgres') {
      // Locked, so that each of two concurrent changes records the correct previous status.
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
      await this.#enqueueWork(trx, { before, after, actor: change.actor });
    }
    return after;
  }

  /**
   * Enqueues the work that follows from a change of status. Voters, except the one who changed it,
   * are notified of every status but New. Records that are no longer validated do not become issues.
   */
  async #enqueueWork(
    trx: Knex.Transaction,
    {
      before,
      after,
      actor,
    }: { before: Feedback; after: Feedback; actor: string },
  ): Promise<void> {
    const { id, updatedAt, createdAt } = after;
    const item = { id, payload: {}, createdAt: updatedAt };
    await tellSender(trx, this.notices, { before, after });
    if (after.status === 'validated' && after.issue === null) {
      // Issues are created in the order in which feedback was submitted.
      await this.intents.enqueue(trx, [{ ...item, dueAt: createdAt }]);
    } else if (before.status === 'validated') {
      await this.intents.cancel(trx, id);
    }
    if (after.votes > 0 && after.status !== 'new') {
      await tellVoters(trx, this.voteNotices, {
        id,
        what: after.status,
        actor,
        at: updatedAt,
      });
    }
  }
}

/** Counts the votes of each record at a given time. */
function tallyUntil(knex: Knex, until: number): Knex.QueryBuilder {
  return knex('feedback_votes')
    .where('created_at', '<', until)
    .where(still =>
      still.whereNull('withdrawn_at').orWhere('withdrawn_at', '>=', until),
    )
    .groupBy('feedback_id')
    .select({ voted_for: 'feedback_id', tally: knex.raw('COUNT(*)') });
}

function orderByVotes(
  records: Knex.QueryBuilder,
  tallies: Knex.QueryBuilder,
): void {
  records
    .select('feedback.*')
    .leftJoin(tallies.as('tallies'), 'voted_for', 'feedback.id')
    .orderByRaw('COALESCE(tally, 0) DESC');
}
