import type { FastifyReply } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { RateLimitedError } from '../errors/index.ts';

/** A group of requests that are counted together, and how many of them a minute may have. */
export interface Budget {
  id: string;
  perMinute: number;
}

/** A counter of fixed minutes; `points` is what it lets through by itself. */
export interface WindowCounter {
  consume: RateLimiterAbstract['consume'];
  get: RateLimiterAbstract['get'];
  readonly points: number;
}

/**
 * Counts what callers do in fixed minutes and says so in the headers of every answer:
 * `X-RateLimit-Limit`, `-Remaining` and `-Reset` (Unix seconds).
 */
export class RateLimits {
  readonly #counter: (perMinute: number) => WindowCounter;
  readonly #counters = new Map<number, WindowCounter>();
  readonly #now: () => number;

  /** @param options.counter - makes the counter for one limit. */
  constructor(options: {
    counter: (perMinute: number) => WindowCounter;
    now: () => number;
  }) {
    this.#counter = options.counter;
    this.#now = options.now;
  }

  /**
   * Counts against a budget and writes the headers.
   *
   * @param options.points - how much; 1 for a request.
   * @throws RateLimitedError when the minute has too little left.
   */
  async consume(
    reply: FastifyReply,
    options: { budget: Budget; points?: number },
  ): Promise<void> {
    const { budget, points = 1 } = options;
    const counter = this.#counterFor(budget.perMinute);
    try {
      const result = await counter.consume(budget.id, points);
      this.#tell(reply, budget, result);
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) {
        this.#tell(reply, budget, rejection);
        throw usedUp(rejection);
      }
      throw rejection;
    }
  }

  /**
   * Counts nothing.
   *
   * @throws RateLimitedError when the minute of a budget is used up.
   */
  async assertLeft({ id, perMinute }: Budget): Promise<void> {
    const spent = await this.#counterFor(perMinute).get(id);
    const isNow = spent !== null && spent.msBeforeNext > 0;
    if (isNow && spent.consumedPoints >= perMinute) {
      throw usedUp(spent);
    }
  }

  #counterFor(perMinute: number): WindowCounter {
    let counter = this.#counters.get(perMinute);
    if (!counter) {
      counter = this.#counter(perMinute);
      this.#counters.set(perMinute, counter);
    }
    return counter;
  }

  #tell(
    reply: FastifyReply,
    { perMinute }: Budget,
    { consumedPoints, msBeforeNext }: RateLimiterRes,
  ): void {
    const resetAt = Math.ceil((this.#now() + msBeforeNext) / 1_000);
    reply
      .header('x-ratelimit-limit', perMinute)
      .header('x-ratelimit-remaining', Math.max(0, perMinute - consumedPoints))
      .header('x-ratelimit-reset', resetAt);
  }
}

function usedUp({ msBeforeNext }: RateLimiterRes): RateLimitedError {
  return new RateLimitedError(Math.max(1, Math.ceil(msBeforeNext / 1_000)));
}
