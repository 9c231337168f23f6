/** The maximum numbers of previews in progress. Each reads from other servers for seconds. */
interface PreviewLimits {
  /** Enough for one dialog in each of several tabs. */
  caller: number;
  everyone: number;
}

const LIMITS: PreviewLimits = { caller: 4, everyone: 32 };

/** Thrown if too many previews are in progress; becomes 429. */
export class TooManyPreviewsError extends Error {
  override readonly name = 'TooManyPreviewsError';
  readonly statusCode = 429;
  /** Seconds until another attempt is worthwhile: most previews take less than that. */
  readonly retryAfter = 2;
}

/**
 * Limits the previews in progress: per caller, so that one caller cannot block all others, and in total,
 * because each preview keeps responses of other servers in memory.
 */
export class PreviewLimit {
  readonly #limits: PreviewLimits;
  /** The previews in progress by caller; never 0. */
  readonly #running = new Map<string, number>();

  constructor(limits: PreviewLimits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * Runs `action` if the limits allow one more preview of the caller.
   *
   * @param caller - Entity ref of a user, or the subject of a service token.
   * @throws TooManyPreviewsError naming the limit.
   */
  async within<T>(caller: string, action: () => Promise<T>): Promise<T> {
    this.#check(caller);
    this.#count(caller, 1);
    try {
      return await action();
    } finally {
      this.#count(caller, -1);
    }
  }

  #check(caller: string): void {
    const { caller: own, everyone } = this.#limits;
    if ((this.#running.get(caller) ?? 0) >= own) {
      throw new TooManyPreviewsError(
        `You have ${own} of at most ${own} previews in progress; wait for one of them`,
      );
    }
    const total = [...this.#running.values()].reduce(
      (sum, running) => sum + running,
      0,
    );
    if (total >= everyone) {
      throw new TooManyPreviewsError(
        `The platform has ${everyone} of at most ${everyone} previews in progress; try again in a moment`,
      );
    }
  }

  #count(caller: string, change: 1 | -1): void {
    const running = (this.#running.get(caller) ?? 0) + change;
    if (running === 0) {
      this.#running.delete(caller);
    } else {
      this.#running.set(caller, running);
    }
  }
}
