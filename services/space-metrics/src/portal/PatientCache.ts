import type { Sourced } from './Sourced.ts';

/** After a failure nobody asks again for so long: callers do not wait for time-outs. */
const PAUSE_MS = 10_000;
const ENTRIES = 1_000;

interface Entry {
  value: unknown;
  at: number;
}

/**
 * Remembers what another system answered. While it does not answer, the last answer
 * is given and marked stale, and it is asked only every ten seconds.
 */
export class PatientCache {
  readonly #freshMs: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #asking = new Map<string, Promise<void>>();
  #quietUntil = 0;

  constructor(options: { freshMs: number; now: () => number }) {
    this.#freshMs = options.freshMs;
    this.#now = options.now;
  }

  /** @param ask - asks the other system; what it throws makes the answer stale. */
  async get<T>(key: string, ask: () => Promise<T>): Promise<Sourced<T>> {
    const known = this.#entries.get(key);
    if (known && this.#now() - known.at < this.#freshMs) {
      return { value: known.value as T, stale: false };
    }
    if (this.#now() >= this.#quietUntil) {
      await this.#ask(key, ask);
    }
    const entry = this.#entries.get(key);
    return {
      value: entry?.value as T | undefined,
      stale: !entry || this.#now() - entry.at >= this.#freshMs,
    };
  }

  /** Questions that come at the same time are one. */
  #ask(key: string, ask: () => Promise<unknown>): Promise<void> {
    let asking = this.#asking.get(key);
    if (!asking) {
      asking = ask()
        .then(
          value => this.#keep(key, value),
          () => {
            this.#quietUntil = this.#now() + PAUSE_MS;
          },
        )
        .finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return asking;
  }

  #keep(key: string, value: unknown): void {
    // Last in, last out: what was asked for longest ago makes room.
    this.#entries.delete(key);
    this.#entries.set(key, { value, at: this.#now() });
    if (this.#entries.size > ENTRIES) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
  }
}
