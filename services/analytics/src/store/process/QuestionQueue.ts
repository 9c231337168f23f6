import { UnavailableError } from '@slipway/service-kit';

/** How long a question waits for its turn; what takes longer in all, nobody waits for. */
const WAIT_MS = 20_000;
const MOST_WAITING = 50;

/** The caller who asks a question. */
export interface Asker {
  /** Questions in one lane wait for each other; other lanes do not wait for them. */
  readonly lane: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  begin: () => void;
  leave: () => void;
}

/**
 * Gives an engine as many questions at once as it works on. The others wait here, where
 * the time that one may take does not run yet: a question that waits for heavy ones is
 * not heavy itself. Lanes take turns, so that who asks much waits for that alone.
 */
export class QuestionQueue {
  readonly #atOnce: number;
  readonly #waitMs: number;
  /** Waiting questions by lane, in the order of their turns. No lane is empty. */
  readonly #lanes = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  /** @param options.waitMs - how long a question waits for its turn; 20 seconds. */
  constructor(options: { atOnce: number; waitMs?: number }) {
    this.#atOnce = options.atOnce;
    this.#waitMs = options.waitMs ?? WAIT_MS;
  }

  /**
   * Asks when it is its turn; within a lane in the order in which questions came.
   *
   * @throws UnavailableError when its turn does not come in time, or too many wait.
   * @throws the reason of the asker's signal, when it is aborted before its turn.
   */
  async run<T>(ask: () => Promise<T>, asker: Asker = { lane: '' }): Promise<T> {
    asker.signal?.throwIfAborted();
    if (this.#running < this.#atOnce) {
      this.#running += 1;
    } else {
      await this.#turn(asker);
    }
    try {
      return await ask();
    } finally {
      this.#next();
    }
  }

  #turn({ lane, signal }: Asker): Promise<void> {
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

  /** Whoever is next takes over the place that gets free; its lane goes to the end. */
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
