import { DatabaseUnavailableError } from './databaseErrors.ts';

const GROUP_SIZE = 256;

/** Turns of the event loop without a new item after which no more are expected. */
const QUIET_TURNS = 2;

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (reason: unknown) => void;
}

interface GroupWriterOptions<T, R> {
  /** Writes a group in one commit; returns a result for each item, in order. */
  write: (items: readonly T[]) => readonly R[] | Promise<readonly R[]>;
  /** Maximum size of a group, 256 by default. Limits how long its first item waits. */
  groupSize?: number;
  /** Returns the weight of an item towards the size of its group; 1 by default. */
  sizeOf?: (item: T) => number;
  /**
   * Maximum time in milliseconds to wait until as many items have arrived as in the last group:
   * callers that got their response together usually send their next request together. A single
   * caller does not wait.
   */
  gatherMs?: number;
  /**
   * Maximum time in milliseconds to wait while further items arrive; none by default. Node accepts
   * one connection per turn of the event loop, so the first requests of many new connections would
   * otherwise be committed almost one by one. A single caller waits for two idle turns.
   */
  arrivalMs?: number;
  /**
   * Whether the items of a failed group are retried one by one, so that one bad item fails alone.
   * If the database is unavailable, all of them fail without a retry.
   */
  isolates?: boolean;
}

/**
 * Batches items that arrive during a commit into the next one, which needs few statements and a
 * single fsync. Each caller gets its result once its own item is on disk.
 */
export class GroupWriter<T, R> {
  readonly #options: GroupWriterOptions<T, R>;
  readonly #waiting: Waiting<T, R>[] = [];
  #draining: Promise<void> | undefined;
  #lastCount = 1;
  #gathered = () => {};

  constructor(options: GroupWriterOptions<T, R>) {
    this.#options = options;
  }

  /** Resolves once the item is written; rejects if its group, or the item alone, fails. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= this.#lastCount) {
        this.#gathered();
      }
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no items are waiting. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const group = this.#waiting.splice(0, this.#countOfNext());
      this.#lastCount = group.length;
      await this.#flush(group);
    }
    // Reset synchronously once the queue is empty: later items must start a new drain.
    this.#draining = undefined;
  }

  async #gather(): Promise<void> {
    // Calls from the same turn of the event loop belong to the group.
    await new Promise(setImmediate);
    await this.#awaitArrivals();
    const { gatherMs = 0 } = this.#options;
    if (gatherMs > 0 && this.#waiting.length < this.#lastCount) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, gatherMs);
        this.#gathered = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Waits as long as each turn of the event loop adds items. */
  async #awaitArrivals(): Promise<void> {
    const { arrivalMs = 0, groupSize = GROUP_SIZE } = this.#options;
    const until = performance.now() + arrivalMs;
    let quiet = 0;
    while (
      quiet < QUIET_TURNS &&
      this.#waiting.length < groupSize &&
      performance.now() < until
    ) {
      const before = this.#waiting.length;
      await new Promise(setImmediate);
      quiet = this.#waiting.length > before ? 0 : quiet + 1;
    }
  }

  /** Counts the items of the next group: at least one, however large it is. */
  #countOfNext(): number {
    const { groupSize = GROUP_SIZE, sizeOf = () => 1 } = this.#options;
    let count = 0;
    for (let size = 0; size < groupSize && count < this.#waiting.length;) {
      size += sizeOf(this.#waiting[count].item);
      count += 1;
    }
    return count;
  }

  async #flush(group: readonly Waiting<T, R>[]): Promise<void> {
    const { write, isolates = false } = this.#options;
    try {
      const results = await write(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      if (
        !isolates ||
        group.length === 1 ||
        error instanceof DatabaseUnavailableError
      ) {
        group.forEach(({ reject }) => reject(error));
        return;
      }
      for (const waiting of group) {
        await this.#flush([waiting]);
      }
    }
  }
}
