import { Counters } from './openCounters';

/** A key under which requests are counted together, and how many of them a minute may have. */
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
  /** True when this request was one too many. */
  exceeded: boolean;
}

/** Counts requests against budgets; one for all plugins of a process. */
export class RateLimits {
  readonly #counters: Counters;

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Counts one request. */
  consume(budget: Budget): Promise<Consumption> {
    return this.#count(budget, 1);
  }

  /** Says what is left without counting; `exceeded` where a request would be too many. */
  look(budget: Budget): Promise<Consumption> {
    return this.#count(budget, 0);
  }

  async #count({ key, perMinute }: Budget, count: 0 | 1): Promise<Consumption> {
    const { requests, endsInMs } = await this.#counters.count(
      key,
      perMinute,
      count,
    );
    return {
      limit: perMinute,
      remaining: Math.max(0, perMinute - requests),
      resetAt: Math.ceil((Date.now() + endsInMs) / 1_000),
      resetAfter: Math.max(1, Math.ceil(endsInMs / 1_000)),
      exceeded: requests + 1 - count > perMinute,
    };
  }
}
