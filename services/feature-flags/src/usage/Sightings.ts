/** Minimum time between two writes of when the same thing was seen, in milliseconds. */
const EVERY_MS = 600_000;
/** Maximum number of sightings in memory until the next write; others have to be seen again. */
const MAX_HELD = 1_000;
/** Maximum number of things whose last write is remembered. */
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

  /** Records a sighting in memory until the next {@link flush}; cheap enough for every request. */
  note(seen: T, at: number): void {
    const key = this.#keyOf(seen);
    const isDue = at - (this.#known.get(key) ?? -Infinity) >= EVERY_MS;
    if (isDue && this.#held.size < MAX_HELD) {
      this.#held.set(key, seen);
    }
  }

  /** Writes the collected sightings with a time; after a failed write, they have to be seen again. */
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
