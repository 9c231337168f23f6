/** An answer of another system, and how it came about. */
export interface Sourced<T> {
  /** Undefined where the other system never answered. */
  readonly value: T | undefined;
  /** True where it is older than it should be, as the other system does not answer now. */
  readonly stale: boolean;
}

/** After a failure nobody asks again for so long: callers do not wait for time-outs. */
const PAUSE_MS = 10_000;
const ENTRIES = 1_000;
/** The first alone may be a system that starts at the same time. */
const FAILURES_OF_AN_OUTAGE = 2;

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
  readonly #patienceMs: number | undefined;
  readonly #onOutage: (error: unknown) => void;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #asking = new Map<string, Promise<void>>();
  #quietUntil = 0;
  /** Counts the failures in a row. */
  #failures = 0;

  /**
   * @param options.patienceMs - after so long whoever asks gets what is known; the answer
   *   is kept when it comes. Without it they wait for the answer.
   * @param options.onOutage - told once of an outage that lasts: of the second failure
   *   in a row.
   */
  constructor(options: {
    freshMs: number;
    patienceMs?: number;
    onOutage?: (error: unknown) => void;
    now: () => number;
  }) {
    this.#freshMs = options.freshMs;
    this.#patienceMs = options.patienceMs;
    this.#onOutage = options.onOutage ?? (() => undefined);
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

  /** Questions that come at the same time are one, of whose patience all have a share. */
  #ask(key: string, ask: () => Promise<unknown>): Promise<void> {
    let waiting = this.#asking.get(key);
    if (!waiting) {
      const answered = ask()
        .then(
          value => {
            this.#failures = 0;
            this.#keep(key, value);
          },
          (error: unknown) => {
            this.#quietUntil = this.#now() + PAUSE_MS;
            this.#failures += 1;
            if (this.#failures === FAILURES_OF_AN_OUTAGE) {
              this.#onOutage(error);
            }
          },
        )
        .finally(() => this.#asking.delete(key));
      waiting = this.#atMost(answered);
      this.#asking.set(key, waiting);
    }
    return waiting;
  }

  #atMost(answered: Promise<void>): Promise<void> {
    const patienceMs = this.#patienceMs;
    if (patienceMs === undefined) {
      return answered;
    }
    return new Promise(resolve => {
      const timer = setTimeout(resolve, patienceMs);
      void answered.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
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
