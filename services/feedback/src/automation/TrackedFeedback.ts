import type { Status } from '../feedback/Feedback.ts';

/** Feedback that became issues. */
export interface TrackedFeedback {
  /** Whether any with an issue of a tracker is in progress. */
  hasInProgress(tracker: string): Promise<boolean>;
  /**
   * Moves what became one of some issues and has a status. Each move is made once,
   * however many ask for it at a time.
   */
  move(
    issues: { tracker: string; numbers: readonly number[] },
    change: {
      from: Status;
      to: Status;
      at: number;
      /** Of the move of the record with this issue. */
      notes(issue: number): string;
    },
  ): Promise<void>;
}
