import { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Counters } from './openCounters';

/** Whose requests are counted together, and how many of them a minute may have. */
export interface Budget {
  key: string;
  perMinute: number;
}

/** What a budget has left after a request was counted. */
export interface Consumption {
  limit: number;
  remaining: number;
  /** When the minute is over, in whole seconds since the epoch. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  resetAfter: number;
  /** Whether this request was one too many. */
  exceeded: boolean;
}

/** Counts requests against budgets; one for all plugins of a process. */
export class RateLimits {
  readonly #counters: Counters;
  readonly #byLimit = new Map<number, RateLimiterAbstract>();

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Counts one request. */
  async consume({ key, perMinute }: Budget): Promise<Consumption> {
    const { result, exceeded } = await this.#count(key, perMinute);
    return {
      limit: perMinute,
      remaining: Math.max(0, perMinute - result.consumedPoints),
      resetAt: Math.ceil((Date.now() + result.msBeforeNext) / 1_000),
      resetAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
      exceeded,
    };
  }

  async #count(
    key: string,
    perMinute: number,
  ): Promise<{ result: RateLimiterRes; exceeded: boolean }> {
    let counter = this.#byLimit.get(perMinute);
    if (!counter) {
      counter = this.#counters.counter(perMinute);
      this.#byLimit.set(perMinute, counter);
    }
    try {
      return { result: await counter.consume(key), exceeded: false };
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) {
        return { result: rejection, exceeded: true };
      }
      throw rejection;
    }
  }
}
