import { randomUUID } from 'node:crypto';
import type { Database, Outbox } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { issueCreatedEvent } from '../automation/draftIssue.ts';
import type { TrackedIssue } from '../automation/Tracker.ts';
import type { Feedback } from '../feedback/Feedback.ts';
import {
  type FeedbackRow,
  type FeedbackStore,
  fromRow,
} from './FeedbackStore.ts';

/** A record that is becoming an issue, held by one worker. */
export interface Intent {
  readonly feedback: Feedback;
  /** The name of the hold; what a worker writes that has lost it is not taken. */
  readonly lease: string;
  /** The time of the first attempt, in milliseconds since the Unix epoch. */
  readonly intendedAt: number;
  /** True where an attempt was made before, which may have made an issue. */
  readonly triedBefore: boolean;
}

interface IntentRow {
  feedback_id: string;
  lease: string | null;
  leased_until: number | string;
  intended_at: number | string;
  attempts: number;
}

/** Remembers in the service's database which records are becoming issues. */
export class IntentStore {
  readonly #database: Database;
  readonly #feedback: FeedbackStore;
  readonly #outbox: Outbox;
  readonly #now: () => number;

  constructor(options: {
    database: Database;
    feedback: FeedbackStore;
    outbox: Outbox;
    now: () => number;
  }) {
    this.#database = options.database;
    this.#feedback = options.feedback;
    this.#outbox = options.outbox;
    this.#now = options.now;
  }

  /**
   * Moves validated records that have an issue already to `in_progress`: somebody
   * validated them again, and a second issue would say the same.
   *
   * @returns how many records were moved, at most `limit`.
   */
  async resume({ limit }: { limit: number }): Promise<number> {
    const now = this.#now();
    return this.#database.transaction(async trx => {
      const due = trx('feedback')
        .where({ status: 'validated' })
        .whereNotNull('issue_number')
        .orderBy(['created_at', 'id'])
        .limit(limit)
        .select('id', 'issue_number', 'issue_url');
      if (this.#database.client === 'postgres') {
        due.forUpdate().skipLocked();
      }
      const rows: { id: string; issue_number: number; issue_url: string }[] =
        await due;
      for (const { id, issue_number, issue_url } of rows) {
        await this.#feedback.changeStatusIn(trx, id, {
          at: now,
          actor: 'automation',
          to: 'in_progress',
          notes: `Has issue ${issue_number} already: ${issue_url}`,
        });
      }
      return rows.length;
    });
  }

  /**
   * Takes the oldest validated record that nobody else holds.
   *
   * @param options.except - ids to leave out.
   */
  async lease(options: {
    leaseMs: number;
    except?: readonly string[];
  }): Promise<Intent | undefined> {
    const { leaseMs, except = [] } = options;
    const now = this.#now();
    const lease = randomUUID();
    return this.#database.transaction(async trx => {
      const row = await this.#free(trx, { now, except });
      if (!row) {
        return undefined;
      }
      await trx('issue_intents')
        .insert({
          feedback_id: row.id,
          leased_until: 0,
          intended_at: now,
          attempts: 0,
        })
        .onConflict('feedback_id')
        .ignore();
      const [intent] = await trx<IntentRow>('issue_intents')
        .where({ feedback_id: row.id })
        .where('leased_until', '<=', now)
        .update({
          lease,
          leased_until: now + leaseMs,
          attempts: trx.raw('attempts + 1'),
        })
        .returning('*');
      return (
        intent && {
          feedback: fromRow(row),
          lease,
          intendedAt: Number(intent.intended_at),
          triedBefore: intent.attempts > 1,
        }
      );
    });
  }

  /**
   * Records the issue, the move to `in_progress` and the webhook in one transaction.
   *
   * @returns false when somebody else did, or holds the record now.
   */
  async complete(
    intent: Intent,
    issue: TrackedIssue & { tracker: string },
  ): Promise<boolean> {
    const { id } = intent.feedback;
    const now = this.#now();
    const completed = await this.#database.transaction(async trx => {
      const held = await trx('issue_intents')
        .where({ feedback_id: id, lease: intent.lease })
        .delete();
      if (held === 0) {
        return false;
      }
      await trx('feedback').where({ id }).update({
        issue_tracker: issue.tracker,
        issue_number: issue.number,
        issue_url: issue.url,
        issue_title: issue.title,
      });
      const before = await trx<FeedbackRow>('feedback').where({ id }).first();
      // Whoever moved it meanwhile meant what they did.
      if (before?.status === 'validated') {
        await this.#feedback.changeStatusIn(trx, id, {
          at: now,
          actor: 'automation',
          to: 'in_progress',
          notes: `Became issue ${issue.number}: ${issue.url}`,
        });
      }
      await this.#outbox.enqueue(
        trx,
        issueCreatedEvent(intent.feedback, { issue, now }),
      );
      return true;
    });
    if (completed) {
      this.#outbox.wake();
    }
    return completed;
  }

  /** Lets a record be taken again at once: it has surely become no issue. */
  async release(intent: Intent): Promise<void> {
    await this.#database.transaction(trx =>
      trx('issue_intents')
        .where({ feedback_id: intent.feedback.id, lease: intent.lease })
        .update({ leased_until: 0 }),
    );
  }

  /**
   * Finds the oldest validated record without an issue that nobody holds, and locks it
   * where there are several writers.
   */
  #free(
    trx: Knex.Transaction,
    options: { now: number; except: readonly string[] },
  ): Promise<FeedbackRow | undefined> {
    const query = trx('feedback')
      .where({ status: 'validated' })
      .whereNull('issue_number')
      .whereNotIn('id', [...options.except])
      .whereNotExists(
        trx('issue_intents')
          .whereRaw('issue_intents.feedback_id = feedback.id')
          .where('leased_until', '>', options.now)
          .select(trx.raw('1')),
      )
      .orderBy(['created_at', 'id'])
      .first<FeedbackRow | undefined>('feedback.*');
    if (this.#database.client === 'postgres') {
      query.forUpdate().skipLocked();
    }
    return query.then(row => row);
  }
}
