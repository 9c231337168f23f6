/** An endpoint with so many attempts under way gets no more until one has ended. */
const BUSY_AT = 4;

/** Attempts under way, by endpoint: a slow one is not to keep others waiting. */
export class Attempts {
  readonly #byEndpoint = new Map<string, Set<Promise<void>>>();

  /** Endpoints that have enough to do. */
  busy(): string[] {
    return [...this.#byEndpoint]
      .filter(([, running]) => running.size >= BUSY_AT)
      .map(([id]) => id);
  }

  /**
   * Keeps an attempt until it has ended.
   *
   * @param attempt - never rejects.
   * @param onFree - called when the endpoint was busy before it ended and no longer is.
   */
  add(endpointId: string, attempt: Promise<void>, onFree: () => void): void {
    const running = this.#byEndpoint.get(endpointId) ?? new Set();
    this.#byEndpoint.set(endpointId, running);
    const kept = attempt.then(() => {
      running.delete(kept);
      if (running.size === 0) {
        this.#byEndpoint.delete(endpointId);
      }
      if (running.size === BUSY_AT - 1) {
        onFree();
      }
    });
    running.add(kept);
  }

  /** Waits for all that are under way now. */
  async ended(): Promise<void> {
    await Promise.all(
      [...this.#byEndpoint.values()].flatMap(running => [...running]),
    );
  }
}
