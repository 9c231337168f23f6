/** A value may cost a fiftieth of the time. */
const REST = 50;

/**
 * A value that takes long to find out where there is much to look at. It is found
 * out at most so often that looking takes a small share of the time: at once as
 * long as it is quick, once in a while when it is not.
 */
export class PacedValue<T> {
  #value?: Promise<T>;
  #expires = 0;

  constructor(
    private readonly options: { read: () => Promise<T>; now: () => number },
  ) {}

  async get(): Promise<T> {
    const { read, now } = this.options;
    const start = now();
    if (!this.#value || start >= this.#expires) {
      const value = read();
      this.#value = value;
      // Whoever asks meanwhile waits for this one.
      this.#expires = Infinity;
      try {
        await value;
        this.#expires = now() + REST * (now() - start);
      } catch (error) {
        this.#value = undefined;
        throw error;
      }
    }
    return this.#value;
  }
}
