import { DatabaseUnavailableError } from '@slipway/service-kit';

const GROUP_SIZE = 256;
/** How long a group waits at most for those who came with the last one. */
const GATHER_MS = 2;

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (reason: unknown) => void;
}

/**
 * Writes items that arrive while a transaction commits together in the next one, as
 * few statements and one fsync. Each caller is answered once its own item is on disk.
 * Callers who were answered together mostly come back together, so after a group the
 * next waits a moment for as many; who is alone waits for nobody. Where a group fails, its items are tried one by one, so that one bad item fails alone;
 * where the database is gone they all fail at once.
 */
export class GroupWriter<T, R> {
  readonly #write: (items: readonly T[]) => Promise<readonly R[]>;
  readonly #groupSize: number;
  readonly #waiting: Waiting<T, R>[] = [];
  #draining = false;
  #lastSize = 1;
  #gathered = () => {};

  /**
   * @param options.write - one transaction; a result for each item, in order.
   * @param options.groupSize - items of one transaction at most: bounds the wait of
   *   the first of them.
   */
  constructor(options: {
    write: (items: readonly T[]) => Promise<readonly R[]>;
    groupSize?: number;
  }) {
    this.#write = options.write;
    this.#groupSize = options.groupSize ?? GROUP_SIZE;
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= this.#lastSize) {
        this.#gathered();
      }
      if (!this.#draining) {
        this.#draining = true;
        void this.#drain();
      }
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const group = this.#waiting.splice(0, this.#groupSize);
      this.#lastSize = group.length;
      await this.#flush(group);
      // Whoever was answered may call again before this is taken to be over.
      await new Promise(setImmediate);
    }
    this.#draining = false;
  }

  async #gather(): Promise<void> {
    // Whoever calls in the same turn of the event loop belongs to the group.
    await new Promise(setImmediate);
    if (this.#waiting.length < this.#lastSize) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, GATHER_MS);
        this.#gathered = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async #flush(group: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#write(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      if (group.length === 1 || error instanceof DatabaseUnavailableError) {
        group.forEach(({ reject }) => reject(error));
        return;
      }
      for (const waiting of group) {
        await this.#flush([waiting]);
      }
    }
  }
}
