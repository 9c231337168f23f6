import type { Feedback } from '../feedback/Feedback.ts';
import type { TrackedIssue } from './Tracker.ts';

/** A record that is becoming an issue, held by one worker. */
export interface Intent {
  readonly feedback: Feedback;
  /** Names the hold: what a worker that lost it writes is not taken. */
  readonly lease: string;
  /** When the first attempt was meant to begin. */
  readonly intendedAt: number;
  /** Whether an attempt was made before, which may have made an issue. */
  readonly triedBefore: boolean;
}

/** Remembers which records are becoming issues. */
export interface IntentStore {
  /**
   * Moves validated records that have an issue already to `in_progress`: somebody
   * validated them again, and a second issue would say the same.
   *
   * @param options.limit - of records.
   * @returns how many were moved.
   */
  resume(options: { limit: number }): Promise<number>;
  /**
   * Takes the oldest validated record that nobody else holds.
   *
   * @param options.except - ids to leave out.
   */
  lease(options: {
    leaseMs: number;
    except?: readonly string[];
  }): Promise<Intent | undefined>;
  /**
   * Records the issue, the move to `in_progress` and the webhook in one transaction.
   *
   * @returns false when somebody else did, or holds the record now.
   */
  complete(
    intent: Intent,
    issue: TrackedIssue & { tracker: string },
  ): Promise<boolean>;
  /** Lets a record be taken again at once: it surely became no issue. */
  release(intent: Intent): Promise<void>;
}
