interface CountBufferOptions<T> {
  keyOf: (entry: T) => string;
  /** Combines two entries with the same key; the second one is later. */
  add: (before: T, entry: T) => T;
  /** Maximum number of different keys between two flushes; others are ignored. */
  most?: number;
}

/**
 * Adds up counts in memory until they are written to the database. A crash loses what was
 * added since the last flush.
 */
export class CountBuffer<T> {
  readonly #options: CountBufferOptions<T>;
  #waiting = new Map<string, T>();

  constructor(options: CountBufferOptions<T>) {
    this.#options = options;
  }

  add(entry: T): void {
    const { keyOf, add, most = Infinity } = this.#options;
    const key = keyOf(entry);
    const before = this.#waiting.get(key);
    if (before !== undefined) {
      this.#waiting.set(key, add(before, entry));
    } else if (this.#waiting.size < most) {
      this.#waiting.set(key, entry);
    }
  }

  /** Writes the entries added since the last flush; if that fails, the next flush writes them again. */
  async flush(write: (entries: readonly T[]) => Promise<void>): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.size === 0) {
      return;
    }
    this.#waiting = new Map();
    try {
      await write([...waiting.values()]);
    } catch (error) {
      const since = this.#waiting;
      this.#waiting = waiting;
      since.forEach(entry => this.add(entry));
      throw error;
    }
  }
}
