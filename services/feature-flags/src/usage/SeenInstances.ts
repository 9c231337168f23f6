import type {
  ApplicationStore,
  InstanceKey,
} from '../storage/ApplicationStore.ts';

/** How often it is stored at most that an instance was seen. */
const EVERY_MS = 600_000;
/** Maximum number of instances in memory until the next write; others wait for their next report. */
const MAX_HELD = 1_000;
/** Maximum number of instances whose last write is known. */
const MAX_KNOWN = 100_000;

/**
 * Records which instances still report, because SDKs register only when they start. Reports are
 * collected in memory and written together: losing a few in a crash is harmless, since instances
 * report every minute.
 */
export class SeenInstances {
  readonly #store: Pick<ApplicationStore, 'see'>;
  readonly #known = new Map<string, number>();
  #held = new Map<string, InstanceKey>();

  constructor(store: Pick<ApplicationStore, 'see'>) {
    this.#store = store;
  }

  /** Collects an instance that has reported until the next {@link flush}. */
  note({ appName, instanceId, environment }: InstanceKey, at: number): void {
    const key = JSON.stringify([appName, instanceId, environment]);
    const isDue = at - (this.#known.get(key) ?? -Infinity) >= EVERY_MS;
    if (isDue && this.#held.size < MAX_HELD) {
      this.#held.set(key, { appName, instanceId, environment });
    }
  }

  /** Writes the collected instances as seen at a time; those of a failed write wait for their next report. */
  async flush(at: number): Promise<void> {
    const held = this.#held;
    this.#held = new Map();
    if (held.size === 0) {
      return;
    }
    await this.#store.see([...held.values()], at);
    if (this.#known.size + held.size > MAX_KNOWN) {
      this.#known.clear();
    }
    held.forEach((_instance, key) => this.#known.set(key, at));
  }
}
