/** Runs tasks of the same key one after the other. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Waits for the tasks of this key that came before; their failures are not this one's. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const own = before.then(task, task);
    this.#last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === own) {
        this.#last.delete(key);
      }
    }
  }
}
