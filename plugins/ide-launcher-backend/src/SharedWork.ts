/** Work of which at most one piece goes on for each id: whoever asks for it meanwhile shares that. */
export class SharedWork {
  readonly #underWay = new Map<string, Promise<void>>();

  /** Whether work goes on for an id. */
  has(id: string): boolean {
    return this.#underWay.has(id);
  }

  /** Ends as the work does that goes on for an id; at once where none does. */
  async ended(id: string): Promise<void> {
    await this.#underWay.get(id);
  }

  /** Does the work, or joins what goes on already for the id. */
  async run(id: string, work: () => Promise<void>): Promise<void> {
    const underWay =
      this.#underWay.get(id) ?? work().finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, underWay);
    await underWay;
  }
}
