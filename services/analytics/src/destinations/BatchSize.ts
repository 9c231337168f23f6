/** Successful requests after which a larger one than the receiver refused is tried again. */
const SUCCESSES = 50;
/** Events in a row that may be skipped: a receiver that refuses more of them refuses all. */
const MOST_SKIPPED = 9;

/**
 * The number of events that are sent to a destination at once. It doubles after each batch, up to
 * what the receiver has refused as too large: that is tried again only after many successes, as
 * each refusal costs a request.
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

  /** Sets how many events can be read at once. */
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

  /** Checks whether an event that is too large alone may be skipped. */
  maySkip(): boolean {
    return this.#skipped < MOST_SKIPPED;
  }

  /** Forgets what was refused: a skipped event was too large, which says nothing about others. */
  forget(): void {
    this.#ceiling = Infinity;
    this.#skipped += 1;
  }
}
