import type { TrackedFeedback } from '../storage/TrackedFeedback.ts';
import type { Tracker } from './Tracker.ts';

/** How far back a first look goes: longer than the service is ever down. */
const FIRST_LOOK_MS = 30 * 24 * 3_600_000;

/** Moves records on when their issues are closed. */
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

  /** Asks the tracker what was closed since the last look, if anything waits for that. */
  async look(): Promise<void> {
    const isWaiting = await this.#feedback.hasInProgress(this.#tracker.name);
    const now = this.#now();
    if (isWaiting) {
      const since = this.#lookedAt ?? now - FIRST_LOOK_MS;
      await this.follow(await this.#tracker.closedSince(since), 'closed');
    }
    this.#lookedAt = now;
  }

  /** Closed issues resolve what is in progress; opened again, they take that back. */
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
