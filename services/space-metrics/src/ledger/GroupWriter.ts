const GROUP_SIZE = 256;

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (reason: unknown) => void;
}

/**
 * Writes items that arrive while a transaction commits together in the next one, as
 * few statements and one fsync. Each caller is answered once its own item is on disk.
 * Where a group fails, its items are tried one by one, so that one bad item fails alone.
 */
export class GroupWriter<T, R> {
  readonly #write: (items: readonly T[]) => Promise<readonly R[]>;
  readonly #groupSize: number;
  readonly #waiting: Waiting<T, R>[] = [];
  #draining = false;

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
      if (!this.#draining) {
        this.#draining = true;
        void this.#drain();
      }
    });
  }

  async #drain(): Promise<void> {
    // Whoever calls in the same turn of the event loop belongs to the first group.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#flush(this.#waiting.splice(0, this.#groupSize));
    }
    this.#draining = false;
  }

  async #flush(group: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#write(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      if (group.length === 1) {
        group[0].reject(error);
        return;
      }
      for (const waiting of group) {
        await this.#flush([waiting]);
      }
    }
  }
}
