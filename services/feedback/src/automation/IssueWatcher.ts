import type { TrackedFeedback } from '../storage/TrackedFeedback.ts';
import type { Tracker } from './Tracker.ts';

/** Period covered by the first check: longer than any downtime of the service. */
const FIRST_LOOK_MS = 30 * 24 * 3_600_000;

/** Updates the status of records when their issues are closed. */
export class IssueWatcher {
  readonly #feedback: TrackedFeedback;
  readonly #tracker: Tracker;
  readonly #now: () => number;
  #lookedAt: number | undefined;

  constructor(options: {
    feedback: TrackedFeedback;
    tracker: Tracker;
    now: () => number;
  }) {
    this.#feedback = options.feedback;
    this.#tracker = options.tracker;
    this.#now = options.now;
  }

  /**
   * Finds the issues that were closed since the last check, if any record depends on one, and
   * updates their records.
   */
  async look(): Promise<void> {
    const isWaiting = await this.#feedback.hasInProgress(this.#tracker.name);
    const now = this.#now();
    if (isWaiting) {
      const since = this.#lookedAt ?? now - FIRST_LOOK_MS;
      await this.follow(await this.#tracker.closedSince(since), 'closed');
    }
    this.#lookedAt = now;
  }

  /**
   * Updates the records of issues: closed issues resolve records in progress, and reopened issues
   * move resolved records back.
   */
  async follow(
    numbers: readonly number[],
    state: 'open' | 'closed',
  ): Promise<void> {
    const isClosed = state === 'closed';
    await this.#feedback.move(
      { tracker: this.#tracker.name, numbers },
      {
        from: isClosed ? 'in_progress' : 'resolved',
        to: isClosed ? 'resolved' : 'in_progress',
        at: this.#now(),
        notes: issue =>
          `Issue ${issue} was ${isClosed ? 'closed' : 'opened again'}`,
      },
    );
  }
}
