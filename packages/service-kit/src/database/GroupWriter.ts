import { DatabaseUnavailableError } from './databaseErrors.ts';

const GROUP_SIZE = 256;

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (reason: unknown) => void;
}

interface GroupWriterOptions<T, R> {
  /** Makes one commit of a group; gives a result for each item, in their order. */
  write: (items: readonly T[]) => readonly R[] | Promise<readonly R[]>;
  /** The size of a group at most, 256 where it is left out: bounds the wait of its first item. */
  groupSize?: number;
  /** How much an item counts towards the size of its group; 1 where it is left out. */
  sizeOf?: (item: T) => number;
  /**
   * Milliseconds that a group waits at most for as many items as the last one had: callers
   * who were answered together mostly come back together. Who is alone waits for nobody.
   */
  gatherMs?: number;
  /**
   * Whether the items of a group that fails are tried one by one, so that one bad item
   * fails alone; where the database is gone they all fail at once.
   */
  isolates?: boolean;
}

/**
 * Writes items that arrive while a commit is under way together in the next one, as few
 * statements and one fsync. Each caller is answered once its own item is on disk.
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

  /** Resolves once the item is written; rejects where its group, or the item alone, fails. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= this.#lastCount) {
        this.#gathered();
      }
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing waits. */
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
    // In the turn that saw nothing wait: what comes later must not rely on this drain.
    this.#draining = undefined;
  }

  async #gather(): Promise<void> {
    // Whoever calls in the same turn of the event loop belongs to the group.
    await new Promise(setImmediate);
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

  /** One item at least, however large it is. */
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
