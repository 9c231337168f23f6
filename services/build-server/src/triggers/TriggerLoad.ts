/** Concurrent triggers that count as a burst. */
const BURST = 5;
/** A burst lasts this long after the last time so many were under way. */
const BURST_MS = 50;
const LOOK_MS = 10;
/** Builds start at least this often, however long a burst lasts. */
const MAX_WAIT_MS = 500;

/**
 * Lets bursts of triggers go before the start of builds, which blocks the event loop for
 * milliseconds: their senders wait for an answer, while most of the builds have to queue anyway.
 * See docs/adr/0048-bursts-of-triggers.md.
 */
export class TriggerLoad {
  #underWay = 0;
  #burstAt = -Infinity;

  /** Handles a trigger. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    if (this.#underWay >= BURST) {
      this.#burstAt = performance.now();
    }
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Resolves at once, or during a burst at its end, after half a second at most. */
  async settled(): Promise<void> {
    const until = performance.now() + MAX_WAIT_MS;
    while (!this.isSettled() && performance.now() < until) {
      await new Promise(resolve => {
        setTimeout(resolve, LOOK_MS);
      });
    }
  }

  /** False during a burst. */
  isSettled(): boolean {
    return performance.now() - this.#burstAt >= BURST_MS;
  }
}
