/** Lets a limited number of holders in; the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(size: number) {
    this.#free = Math.max(1, Math.floor(size));
  }

  /** How many wait now. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs `work` when its turn comes; rejects with the signal's reason if it aborts before. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const left = new AbortController();
      const admit = () => {
        left.abort();
        resolve();
      };
      this.#queue.push(admit);
      signal.addEventListener(
        'abort',
        () => {
          this.#queue.splice(this.#queue.indexOf(admit), 1);
          reject(signal.reason);
        },
        { once: true, signal: left.signal },
      );
    });
  }

  #leave() {
    const next = this.#queue.shift();
    if (next) {
      next();
    } else {
      this.#free += 1;
    }
  }
}
