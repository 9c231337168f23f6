/** Minimum time between two writes of when something was seen. */
const EVERY_MS = 600_000;
/** Maximum number of things in memory until the next write; others wait until they are seen again. */
const MAX_HELD = 1_000;
/** Maximum number of things whose last write is known. */
const MAX_KNOWN = 100_000;

/**
 * Records what still reads flags or reports usage, because SDKs register only when they start.
 * Sightings are collected in memory and written together: losing a few in a crash is harmless, since
 * SDKs send requests all the time.
 */
export class Sightings<T> {
  readonly #keyOf: (seen: T) => string;
  readonly #write: (seen: readonly T[], at: number) => Promise<void>;
  readonly #known = new Map<string, number>();
  #held = new Map<string, T>();

  /**
   * @param options.keyOf - identifies what was seen.
   * @param options.write - stores that they were seen at a time.
   */
  constructor(options: {
    keyOf: (seen: T) => string;
    write: (seen: readonly T[], at: number) => Promise<void>;
  }) {
    this.#keyOf = options.keyOf;
    this.#write = options.write;
  }

  /** Collects what is there until the next {@link flush}; cheap, for every request. */
  note(seen: T, at: number): void {
    const key = this.#keyOf(seen);
    const isDue = at - (this.#known.get(key) ?? -Infinity) >= EVERY_MS;
    if (isDue && this.#held.size < MAX_HELD) {
      this.#held.set(key, seen);
    }
  }

  /** Writes what was collected as seen at a time; what a failed write contained waits until it is seen again. */
  async flush(at: number): Promise<void> {
    const held = this.#held;
    this.#held = new Map();
    if (held.size === 0) {
      return;
    }
    await this.#write([...held.values()], at);
    if (this.#known.size + held.size > MAX_KNOWN) {
      this.#known.clear();
    }
    held.forEach((_seen, key) => this.#known.set(key, at));
  }
}
