import type { Database } from '@slipway/service-kit';

const ENTRIES = 500;

interface Entry {
  text: Promise<string>;
  at: number;
  revision: number;
}

/**
 * Caches serialized responses for a short time. Every write of this process invalidates them
 * immediately; writes of other replicas take effect after `maximumAgeMs`.
 */
export class ReportCache {
  readonly #maximumAgeMs: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #revision = 0;

  constructor(options: { maximumAgeMs: number; now: () => number }) {
    this.#maximumAgeMs = options.maximumAgeMs;
    this.#now = options.now;
  }

  /** Wraps a database so that its writes invalidate all entries. */
  follow(database: Database): Database {
    return {
      client: database.client,
      knex: database.knex,
      transaction: async work => {
        const result = await database.transaction(work);
        this.#revision += 1;
        return result;
      },
      isAlive: timeoutMs => database.isAlive(timeoutMs),
      close: () => database.close(),
    };
  }

  /** Returns a response; concurrent identical requests share one computation. */
  get(key: string, work: () => Promise<string>): Promise<string> {
    const known = this.#entries.get(key);
    if (
      known &&
      known.revision === this.#revision &&
      this.#now() - known.at < this.#maximumAgeMs
    ) {
      return known.text;
    }
    const entry: Entry = {
      text: work(),
      at: this.#now(),
      revision: this.#revision,
    };
    this.#keep(key, entry);
    entry.text.catch(() => {
      if (this.#entries.get(key) === entry) {
        this.#entries.delete(key);
      }
    });
    return entry.text;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > ENTRIES) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
  }
}
