const ENTRIES = 500;

interface Entry {
  answer: Promise<unknown>;
  at: number;
  revision: number;
}

/**
 * Answers that were worked out a moment ago. Every write of this process makes them
 * old at once; those of other replicas after `maximumAgeMs`.
 */
export class ReportCache {
  readonly #maximumAgeMs: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #revision = 0;

  constructor(options: { maximumAgeMs: number; now: () => number }) {
    this.#maximumAgeMs = options.maximumAgeMs;
    this.#now = options.now;
  }

  /** Something was written. */
  outdate(): void {
    this.#revision += 1;
  }

  /** Callers who ask the same at the same time share one answer. */
  async get<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (
      known &&
      known.revision === this.#revision &&
      this.#now() - known.at < this.#maximumAgeMs
    ) {
      return known.answer as Promise<T>;
    }
    const entry: Entry = {
      answer: work(),
      at: this.#now(),
      revision: this.#revision,
    };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > ENTRIES) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
    try {
      return (await entry.answer) as T;
    } catch (error) {
      if (this.#entries.get(key) === entry) {
        this.#entries.delete(key);
      }
      throw error;
    }
  }
}
