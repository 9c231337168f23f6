import { isoOf } from '@slipway/entity-contract';
import {
  chunksOf,
  type Database,
  type LeasedItem,
  type Outbox,
} from '@slipway/service-kit';
import type { TrackedIssue } from '../automation/Tracker.ts';
import { type Feedback, MACHINES, type Status } from '../feedback/Feedback.ts';
import type { FeedbackRow } from './FeedbackRow.ts';
import type { FeedbackStore } from './FeedbackStore.ts';

/** The name of the webhook event for a new issue. */
export const ISSUE_CREATED = 'feedback.tracker_issue_created';

/** A record that is becoming an issue, leased by one worker. */
export interface Intent {
  readonly feedback: Feedback;
  readonly item: LeasedItem<object>;
}

/** Issues of one tracker. */
interface Issues {
  tracker: string;
  numbers: readonly number[];
}

/** A change of status for the records of some issues. */
interface Move {
  from: Status;
  to: Status;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** Returns the notes for the record with this issue. */
  notes(issue: number): string;
}

const AT_ONCE = 200;

/** Dependencies of {@link TrackedFeedback}. */
interface TrackedFeedbackOptions {
  database: Database;
  feedback: FeedbackStore;
  outbox: Outbox;
  now: () => number;
}

/** Links validated feedback to issues, once each, and updates records when their issues change. */
export class TrackedFeedback {
  readonly #options: TrackedFeedbackOptions;

  constructor(options: TrackedFeedbackOptions) {
    this.#options = options;
  }

  /**
   * Moves validated records that already have an issue to `in_progress`: they were validated again,
   * and a second issue would be a duplicate.
   *
   * @param options.only - the id of the only record to move; all if undefined.
   * @returns how many records were moved, at most `limit`.
   */
  async resume(options: { limit: number; only?: string }): Promise<number> {
    const { limit, only } = options;
    const now = this.#options.now();
    return this.#options.database.transaction(async trx => {
      const due = trx('feedback')
        .where({ status: 'validated' })
        .whereNotNull('issue_number')
        .orderBy(['created_at', 'id'])
        .limit(limit)
        .select('id', 'issue_number', 'issue_url');
      if (only !== undefined) {
        due.where({ id: only });
      }
      if (this.#options.database.client === 'postgres') {
        due.forUpdate().skipLocked();
      }
      const rows: { id: string; issue_number: number; issue_url: string }[] =
        await due;
      for (const { id, issue_number, issue_url } of rows) {
        await this.#options.feedback.changeStatusIn(trx, id, {
          at: now,
          actor: MACHINES.automation,
          to: 'in_progress',
          notes: `Has issue ${issue_number} already: ${issue_url}`,
        });
      }
      return rows.length;
    });
  }

  /**
   * Leases the oldest validated record without an issue that is not leased by others.
   *
   * @param options.only - the id of the only record to lease; all if undefined.
   * @param options.except - ids to skip.
   */
  async lease(options: {
    leaseMs: number;
    only?: string;
    except: readonly string[];
  }): Promise<Intent | undefined> {
    const { leaseMs, only, except } = options;
    for (;;) {
      const now = this.#options.now();
      const [item] = await this.#options.feedback.intents.lease({
        now,
        leaseMs,
        limit: 1,
        lane: only,
        exceptLanes: except,
      });
      if (!item) {
        return undefined;
      }
      const feedback = await this.#options.feedback.find(item.id);
      if (feedback?.status === 'validated' && feedback.issue === null) {
        return { feedback, item };
      }
      // A record that has changed status in the meantime is cancelled, and keeps its attempts.
      if (!feedback || feedback.issue !== null) {
        await this.#options.feedback.intents.complete(item, { now });
      }
    }
  }

  /**
   * Records the issue, the move to `in_progress` and the webhook in one transaction.
   *
   * @returns false if another worker already has, or now holds the lease.
   */
  async complete(
    { feedback, item }: Intent,
    issue: TrackedIssue & { tracker: string },
  ): Promise<boolean> {
    const { id } = feedback;
    const now = this.#options.now();
    const completed = await this.#options.database.transaction(async trx => {
      const found = trx<FeedbackRow>('feedback').where({ id });
      if (this.#options.database.client === 'postgres') {
        // Locks both in the same order as a change of status does.
        found.forUpdate();
      }
      const before = await found.first();
      if (
        !(await this.#options.feedback.intents.complete(item, { now, trx }))
      ) {
        return false;
      }
      await trx('feedback').where({ id }).update({
        issue_tracker: issue.tracker,
        issue_number: issue.number,
        issue_url: issue.url,
        issue_title: issue.title,
      });
      // A change of status in the meantime was intentional and is kept.
      if (before?.status === 'validated') {
        await this.#options.feedback.changeStatusIn(trx, id, {
          at: now,
          actor: MACHINES.automation,
          to: 'in_progress',
          notes: `Became issue ${issue.number}: ${issue.url}`,
        });
      }
      await this.#options.outbox.enqueue(
        trx,
        issueCreatedEvent(feedback, { issue, now }),
      );
      return true;
    });
    if (completed) {
      this.#options.outbox.wake();
    }
    return completed;
  }

  /** Releases a record immediately, because certainly no issue was created for it. */
  async release({ feedback, item }: Intent): Promise<void> {
    await this.#options.feedback.intents.retry(item, {
      at: feedback.createdAt,
    });
  }

  /** Checks whether any record with an issue of a tracker is in progress. */
  async hasInProgress(tracker: string): Promise<boolean> {
    const found = await this.#options.database
      .knex('feedback')
      .where({ issue_tracker: tracker, status: 'in_progress' })
      .first('id');
    return found !== undefined;
  }

  /**
   * Changes the status of records with one of the issues and a given status. Each change is made
   * once, even with concurrent calls.
   */
  async move({ tracker, numbers }: Issues, change: Move): Promise<void> {
    for (const chunk of chunksOf(numbers, AT_ONCE)) {
      await this.#moveSome({ tracker, numbers: chunk }, change);
    }
  }

  async #moveSome(
    { tracker, numbers }: Issues,
    { from, to, at, notes }: Move,
  ): Promise<void> {
    await this.#options.database.transaction(async trx => {
      const due = trx('feedback')
        .where({ issue_tracker: tracker, status: from })
        .whereIn('issue_number', numbers)
        .select('id', 'issue_number');
      if (this.#options.database.client === 'postgres') {
        // Every replica checks, but only one of them makes each change.
        due.forUpdate();
      }
      const rows: { id: string; issue_number: number }[] = await due;
      for (const { id, issue_number } of rows) {
        await this.#options.feedback.changeStatusIn(trx, id, {
          at,
          actor: MACHINES.tracker,
          to,
          notes: notes(issue_number),
        });
      }
    });
  }
}

/**
 * Creates the payload of the webhook `feedback.tracker_issue_created`, as specified in the
 * contract.
 */
function issueCreatedEvent(
  feedback: Feedback,
  options: { issue: TrackedIssue; now: number },
): { name: string; payload: object } {
  const { id, rating, category, message } = feedback;
  const { number, url, title } = options.issue;
  const name = ISSUE_CREATED;
  return {
    name,
    payload: {
      event: name,
      timestamp: isoOf(options.now),
      feedback: { id, rating, category, message },
      tracker_issue: { number, url, title },
    },
  };
}
