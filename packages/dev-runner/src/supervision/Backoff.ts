/** How long a part waits before it is started again. */
export interface BackoffOptions {
  /** Wait after the first crash, in milliseconds. */
  firstMs: number;
  /** The wait never grows beyond this, in milliseconds. */
  maxMs: number;
  /** A run of at least this many milliseconds is forgiven the crashes before it. */
  stableMs: number;
}

/** Doubles the wait with every crash, until the part runs long enough again. */
export class Backoff {
  readonly #options: BackoffOptions;
  #crashes = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /**
   * The wait in milliseconds after a crash.
   *
   * @param ranMs - how long the part had run
   */
  next(ranMs: number): number {
    const { firstMs, maxMs, stableMs } = this.#options;
    if (ranMs >= stableMs) {
      this.#crashes = 0;
    }
    const wait = Math.min(firstMs * 2 ** this.#crashes, maxMs);
    this.#crashes += 1;
    return wait;
  }
}
