/** Number of successful requests after which a size that the receiver refused is tried again. */
const SUCCESSES = 50;
/**
 * Maximum consecutive events to skip: a receiver that refuses more of them is likely to
 * refuse all events.
 */
const MOST_SKIPPED = 9;

/**
 * Adapts the number of events per request to what a destination's receiver accepts. A size
 * that was refused as too large is halved, and is only doubled again after many successes,
 * as each refusal costs a request.
 */
export class BatchSize {
  #next = Infinity;
  #ceiling = Infinity;
  #successes = 0;
  /** Events that were skipped since the last success. */
  #skipped = 0;

  /** Returns the size of the next batch. @param most - the maximum of the destination. */
  within(most: number): number {
    return Math.min(this.#next, this.#ceiling, most);
  }

  /** Sets the number of events that can be read at once. */
  limit(most: number): void {
    this.#next = most;
  }

  /** Halves a batch that the receiver refused as too large. */
  halve(events: number): void {
    this.#ceiling = Math.ceil(events / 2);
    this.#successes = 0;
  }

  accept(): void {
    this.#skipped = 0;
    this.#successes += 1;
    if (this.#successes >= SUCCESSES) {
      this.#ceiling *= 2;
      this.#successes = 0;
    }
  }

  /** Checks whether a single event that is too large may be skipped. */
  maySkip(): boolean {
    return this.#skipped < MOST_SKIPPED;
  }

  /**
   * Records that an event was skipped, and forgets the refused size: that event was too
   * large, which says nothing about batches of others.
   */
  forget(): void {
    this.#ceiling = Infinity;
    this.#skipped += 1;
  }
}
