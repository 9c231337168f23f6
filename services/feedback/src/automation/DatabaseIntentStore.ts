import { randomUUID } from 'node:crypto';
import type { Database, Outbox } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { TransactionalFeedbackStore } from '../feedback/FeedbackStore.ts';
import { type FeedbackRow, fromRow } from '../feedback/rows.ts';
import type { Intent, IntentStore } from './IntentStore.ts';
import { issueCreatedEvent } from './issueCreatedEvent.ts';
import type { TrackedIssue } from './Tracker.ts';

interface IntentRow {
  feedback_id: string;
  lease: string | null;
  leased_until: number | string;
  intended_at: number | string;
  attempts: number;
}

/** Intents in the service's own database. */
export class DatabaseIntentStore implements IntentStore {
  readonly #database: Database;
  readonly #feedback: TransactionalFeedbackStore;
  readonly #outbox: Outbox;
  readonly #now: () => number;

  constructor(options: {
    database: Database;
    feedback: TransactionalFeedbackStore;
    outbox: Outbox;
    now: () => number;
  }) {
    this.#database = options.database;
    this.#feedback = options.feedback;
    this.#outbox = options.outbox;
    this.#now = options.now;
  }

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

  async release(intent: Intent): Promise<void> {
    await this.#database.transaction(trx =>
      trx('issue_intents')
        .where({ feedback_id: intent.feedback.id, lease: intent.lease })
        .update({ leased_until: 0 }),
    );
  }

  /** The oldest validated record without an issue that nobody holds; locked, where there are several writers. */
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
