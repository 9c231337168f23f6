import { PortalAnswerError } from '@slipway/service-kit';

/** A response of another system, or its last one, with its status. */
export interface Sourced<T> {
  /** Undefined if the other system has never responded. */
  readonly value: T | undefined;
  /** True if the value is out of date because the other system is not responding. */
  readonly stale: boolean;
}

/** Pause after a failure, in milliseconds, so that callers do not wait for timeouts. */
const PAUSE_MS = 10_000;
/** Time for which provisional values are cached, in milliseconds. */
const PROVISIONAL_MS = 5_000;
const ENTRIES = 1_000;
/** Number of failures that count as an outage; a single one may occur when both systems start. */
const FAILURES_OF_AN_OUTAGE = 2;

interface Entry {
  value: unknown;
  at: number;
}

/**
 * Caches the responses of another system. While it is not responding, the last response is returned
 * and marked as stale, and requests are sent only every ten seconds. A rejected query (400) does
 * not delay other queries.
 */
export class StaleIfErrorCache {
  readonly #freshMs: number;
  readonly #patienceMs: number | undefined;
  readonly #isProvisional: (value: unknown) => boolean;
  readonly #onOutage: (error: unknown) => void;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #asking = new Map<string, Promise<void>>();
  #quietUntil = 0;
  /** Number of consecutive failures. */
  #failures = 0;

  /**
   * Creates an empty cache.
   *
   * @param options.patienceMs - how long callers wait before they get the cached value; a later
   * response is still cached. By default, they wait for the response.
   * @param options.isProvisional - recognizes values that are about to change, such as the empty
   * ones of a system without data; they are requested again after a few seconds.
   * @param options.onOutage - called once per lasting outage: at the second consecutive failure.
   */
  constructor(options: {
    freshMs: number;
    patienceMs?: number;
    isProvisional?: (value: unknown) => boolean;
    onOutage?: (error: unknown) => void;
    now: () => number;
  }) {
    this.#freshMs = options.freshMs;
    this.#patienceMs = options.patienceMs;
    this.#isProvisional = options.isProvisional ?? (() => false);
    this.#onOutage = options.onOutage ?? (() => undefined);
    this.#now = options.now;
  }

  /**
   * Returns a cached or new response.
   *
   * @param ask - requests a response; if it throws, the result is stale.
   */
  async get<T>(key: string, ask: () => Promise<T>): Promise<Sourced<T>> {
    const known = this.#entries.get(key);
    if (known && this.#now() - known.at < this.#freshMsOf(known)) {
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

  #freshMsOf({ value }: Entry): number {
    return this.#isProvisional(value)
      ? Math.min(PROVISIONAL_MS, this.#freshMs)
      : this.#freshMs;
  }

  /** Sends a request. Concurrent callers share the request and its waiting time. */
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
            if (error instanceof PortalAnswerError && error.status === 400) {
              return;
            }
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
    // Moves the entry to the end, because the first one, updated longest ago, is evicted.
    this.#entries.delete(key);
    this.#entries.set(key, { value, at: this.#now() });
    if (this.#entries.size > ENTRIES) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
  }
}
