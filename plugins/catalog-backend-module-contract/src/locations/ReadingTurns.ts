import pLimit, { type LimitFunction } from 'p-limit';

const AT_ONCE = 4;
const WAITING = 100;

/** Refuses a reading where too many of its caller wait already; answered with 429. */
class TooManyReadingsError extends Error {
  readonly name = 'TooManyReadingsError';
  readonly statusCode = 429;

  constructor() {
    super('Too many of your descriptors are being read; try again later');
  }
}

/**
 * Bounds what one caller has the portal read at a time: readings beyond that wait
 * for each other, and beyond a hundred that wait they are refused.
 */
export class ReadingTurns {
  readonly #turns = new Map<string, LimitFunction>();

  /** @throws TooManyReadingsError when too many readings of this caller wait. */
  async run<T>(caller: string, read: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(caller) ?? pLimit(AT_ONCE);
    this.#turns.set(caller, turn);
    if (turn.pendingCount >= WAITING) {
      throw new TooManyReadingsError();
    }
    try {
      return await turn(read);
    } finally {
      if (turn.activeCount + turn.pendingCount === 0) {
        this.#turns.delete(caller);
      }
    }
  }
}
