import type {
  UnknownFlagReport,
  UnknownFlagStore,
} from '../storage/UnknownFlagStore.ts';

/** Longer names cannot be the name of a flag. */
const NAME_LENGTH = 100;
/** Reports held in memory until the next write. */
const MOST_HELD = 1_000;
/** Reports kept in the database. */
export const MOST_UNKNOWN = 5_000;

/** An unknown flag with the applications that asked for it. */
export interface UnknownFlag {
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly lastSeenAt: number;
  readonly reports: readonly UnknownFlagReport[];
}

/**
 * Remembers which applications ask for flags that do not exist. Reports are held in memory
 * and written together: losing a few in a crash is harmless, since applications repeat them.
 */
export class UnknownFlags {
  readonly #store: UnknownFlagStore;
  #held = new Map<string, UnknownFlagReport>();

  constructor(store: UnknownFlagStore) {
    this.#store = store;
  }

  /** Holds a report until the next {@link flush}. */
  note(report: UnknownFlagReport): void {
    const { name, appName, environment } = report;
    const key = JSON.stringify([name, appName, environment]);
    const isRoom = this.#held.has(key) || this.#held.size < MOST_HELD;
    if (isRoom && name.length <= NAME_LENGTH) {
      this.#held.set(key, report);
    }
  }

  /** Writes what is held; after a failure it is lost. */
  async flush(): Promise<void> {
    const reports = [...this.#held.values()];
    if (reports.length > 0) {
      this.#held = new Map();
      await this.#store.add(reports);
    }
  }

  /** Lists unknown flags, the one seen last first. */
  async list(): Promise<UnknownFlag[]> {
    await this.flush();
    const byName = Map.groupBy(await this.#store.list(), ({ name }) => name);
    return [...byName]
      .map(([name, reports]) => ({
        name,
        lastSeenAt: Math.max(...reports.map(({ seenAt }) => seenAt)),
        reports,
      }))
      .sort((one, other) => other.lastSeenAt - one.lastSeenAt);
  }
}
