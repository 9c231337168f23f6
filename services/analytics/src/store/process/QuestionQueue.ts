import { UnavailableError } from '@slipway/service-kit';

/** How long a question waits for its turn; what takes longer in all, nobody waits for. */
const WAIT_MS = 10_000;
const MOST_WAITING = 50;

interface Waiting {
  begin: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Gives an engine as many questions at once as it works on. The others wait here, where
 * the time that one may take does not run yet: a question that waits for heavy ones is
 * not heavy itself.
 */
export class QuestionQueue {
  readonly #atOnce: number;
  readonly #waitMs: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /** @param options.waitMs - how long a question waits for its turn; 10 seconds. */
  constructor(options: { atOnce: number; waitMs?: number }) {
    this.#atOnce = options.atOnce;
    this.#waitMs = options.waitMs ?? WAIT_MS;
  }

  /**
   * Asks when it is its turn, in the order in which questions came.
   *
   * @throws UnavailableError when its turn does not come in time, or too many wait.
   */
  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
    } else {
      await this.#turn();
    }
    try {
      return await ask();
    } finally {
      this.#next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) {
      throw busy();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: resolve,
        timer: setTimeout(() => {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
          reject(busy());
        }, this.#waitMs),
      };
      this.#waiting.push(waiting);
    });
  }

  /** Whoever is next takes over the place that gets free. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) {
      clearTimeout(next.timer);
      next.begin();
    } else {
      this.#running -= 1;
    }
  }
}

function busy(): UnavailableError {
  return new UnavailableError(
    'Other questions keep the engine busy: ask again in a moment',
  );
}
