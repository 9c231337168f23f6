import { UnavailableError } from '@slipway/service-kit';

/** Maximum milliseconds that a query waits for its turn; callers give up soon after. */
const WAIT_MS = 20_000;
const MOST_WAITING = 50;

/** The caller of a query. */
export interface Requester {
  /** Queries in one lane wait for each other, but not for other lanes. */
  readonly lane: string;
  /** Aborted once nobody is waiting for the result. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  begin: () => void;
  leave: () => void;
}

/**
 * Limits the queries that an engine runs concurrently. The others wait here, before their
 * timeout starts: a query that waits for heavy ones is not heavy itself. Lanes take turns,
 * so that a caller with many queries only delays itself.
 */
export class QueryQueue {
  readonly #atOnce: number;
  readonly #waitMs: number;
  /** Waiting queries by lane, in order of their turns. No lane is empty. */
  readonly #lanes = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  /** @param options.waitMs - how long a query waits for its turn; 20 seconds by default. */
  constructor(options: { atOnce: number; waitMs?: number }) {
    this.#atOnce = options.atOnce;
    this.#waitMs = options.waitMs ?? WAIT_MS;
  }

  /**
   * Runs a query when its turn comes; queries of one lane start in order of arrival.
   * @throws UnavailableError if its turn does not come in time, or too many are waiting.
   * @throws the reason of the requester's signal if it is aborted before its turn.
   */
  async run<T>(
    ask: () => Promise<T>,
    requester: Requester = { lane: '' },
  ): Promise<T> {
    requester.signal?.throwIfAborted();
    if (this.#running < this.#atOnce) {
      this.#running += 1;
    } else {
      await this.#turn(requester);
    }
    try {
      return await ask();
    } finally {
      this.#next();
    }
  }

  #turn({ lane, signal }: Requester): Promise<void> {
    if (this.#waiting >= MOST_WAITING) {
      throw busy();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { begin: resolve, leave: () => undefined };
      const giveUp = (reason: unknown) => {
        this.#remove(lane, waiting);
        waiting.leave();
        reject(reason);
      };
      const onAbort = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(busy()), this.#waitMs);
      waiting.leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort);
      this.#lanes.set(lane, [...(this.#lanes.get(lane) ?? []), waiting]);
      this.#waiting += 1;
    });
  }

  #remove(lane: string, waiting: Waiting): void {
    const left = this.#lanes.get(lane)?.filter(each => each !== waiting) ?? [];
    if (left.length > 0) {
      this.#lanes.set(lane, left);
    } else {
      this.#lanes.delete(lane);
    }
    this.#waiting -= 1;
  }

  /** Gives the free slot to the next lane, which then moves to the end. */
  #next(): void {
    for (const [lane, [next]] of this.#lanes) {
      this.#remove(lane, next);
      const rest = this.#lanes.get(lane);
      if (rest) {
        this.#lanes.delete(lane);
        this.#lanes.set(lane, rest);
      }
      next.leave();
      next.begin();
      return;
    }
    this.#running -= 1;
  }
}

function busy(): UnavailableError {
  return new UnavailableError(
    'Too many queries are running: try again in a moment',
  );
}
