import type {
  UnknownFlagReport,
  UnknownFlagStore,
} from '../storage/UnknownFlagStore.ts';

/** Longer names cannot be the name of a flag. */
const NAME_LENGTH = 100;
/** Maximum number of reports in memory until the next write. */
const MAX_HELD = 1_000;
/** Maximum number of reports in the database. */
export const MAX_UNKNOWN = 5_000;

/** An unknown flag with the applications that requested it. */
export interface UnknownFlag {
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly lastSeenAt: number;
  readonly reports: readonly UnknownFlagReport[];
}

/**
 * Records which applications request flags that do not exist. Reports are collected in memory
 * and written together: losing a few in a crash is harmless, since applications repeat them.
 */
export class UnknownFlags {
  readonly #store: UnknownFlagStore;
  #held = new Map<string, UnknownFlagReport>();

  constructor(store: UnknownFlagStore) {
    this.#store = store;
  }

  /** Collects a report until the next {@link flush}. */
  note(report: UnknownFlagReport): void {
    const { name, appName, environment } = report;
    const key = JSON.stringify([name, appName, environment]);
    const isRoom = this.#held.has(key) || this.#held.size < MAX_HELD;
    if (isRoom && name.length <= NAME_LENGTH) {
      this.#held.set(key, report);
    }
  }

  /** Writes the collected reports; a failure discards them. */
  async flush(): Promise<void> {
    const reports = [...this.#held.values()];
    if (reports.length > 0) {
      this.#held = new Map();
      await this.#store.add(reports);
    }
  }

  /** Lists unknown flags, most recently seen first. */
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
