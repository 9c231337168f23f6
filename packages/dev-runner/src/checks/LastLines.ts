/** Remembers the last lines of a text that arrives in pieces. */
export class LastLines {
  readonly #limit: number;
  readonly #whole: string[] = [];
  #unfinished = '';

  /** @param limit - how many lines are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    const pieces = (this.#unfinished + text).split('\n');
    this.#unfinished = pieces.pop() ?? '';
    this.#whole.push(...pieces.slice(-this.#limit));
    this.#whole.splice(0, this.#whole.length - this.#limit);
  }

  /** Oldest first, with the one that has no end yet. */
  get lines(): readonly string[] {
    const all = this.#unfinished
      ? [...this.#whole, this.#unfinished]
      : this.#whole;
    return all.slice(-this.#limit);
  }
}
