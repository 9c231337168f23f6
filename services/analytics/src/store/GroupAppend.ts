import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';

/** Events of one commit at most: bounds the wait of the first of them. */
const GROUP_SIZE = 2_000;

interface Waiting {
  events: readonly AnalyticsEvent[];
  resolve: (added: number) => void;
  reject: (error: unknown) => void;
}

/**
 * Requests that arrive together are one commit, and one synchronisation with the disk.
 * Each is answered once its own events are there; it is whole in one commit.
 */
export class GroupAppend {
  readonly #write: (groups: readonly (readonly AnalyticsEvent[])[]) => number[];
  #waiting: Waiting[] = [];
  #scheduled = false;

  /** @param write - one commit; how many of each group were new. */
  constructor(
    write: (groups: readonly (readonly AnalyticsEvent[])[]) => number[],
  ) {
    this.#write = write;
  }

  append(events: readonly AnalyticsEvent[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (!this.#scheduled) {
      this.#scheduled = true;
      // What arrives in the same turn of the event loop belongs together.
      setImmediate(() => this.#commit());
    }
  }

  #commit(): void {
    this.#scheduled = false;
    const group: Waiting[] = [];
    for (let size = 0; size < GROUP_SIZE && this.#waiting.length > 0; ) {
      const next = this.#waiting.shift()!;
      size += next.events.length;
      group.push(next);
    }
    try {
      const added = this.#write(group.map(({ events }) => events));
      group.forEach(({ resolve }, index) => resolve(added[index]));
    } catch (error) {
      group.forEach(({ reject }) => reject(error));
    }
    if (this.#waiting.length > 0) {
      this.#schedule();
    }
  }
}
