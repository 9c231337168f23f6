import type {
  ApplicationStore,
  InstanceKey,
} from '../storage/ApplicationStore.ts';

/** Minimum time between two writes of when an instance was seen. */
const EVERY_MS = 600_000;
/** Maximum number of instances in memory until the next write; others wait for their next request. */
const MAX_HELD = 1_000;
/** Maximum number of instances whose last write is known. */
const MAX_KNOWN = 100_000;

/**
 * Records which instances still read flags or report usage, because SDKs register only when they
 * start. They are collected in memory and written together: losing a few in a crash is harmless,
 * since SDKs send requests all the time. Those behind Unleash Edge are not seen: it reports usage
 * by application, and reads flags for all.
 */
export class SeenInstances {
  readonly #store: Pick<ApplicationStore, 'see'>;
  readonly #known = new Map<string, number>();
  #held = new Map<string, InstanceKey>();

  constructor(store: Pick<ApplicationStore, 'see'>) {
    this.#store = store;
  }

  /** Collects an instance that is there until the next {@link flush}; cheap, for every request. */
  note({ appName, instanceId, environment }: InstanceKey, at: number): void {
    const key = `${environment}\n${appName}\n${instanceId}`;
    const isDue = at - (this.#known.get(key) ?? -Infinity) >= EVERY_MS;
    if (isDue && this.#held.size < MAX_HELD) {
      this.#held.set(key, { appName, instanceId, environment });
    }
  }

  /** Writes the collected instances as seen at a time; those of a failed write wait for their next request. */
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
