import type { FastifyReply } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { RateLimitedError } from '../errors/index.ts';

/** Whose requests are counted together, and how many of them a minute may have. */
export interface Budget {
  id: string;
  perMinute: number;
}

/** A counter of fixed minutes; `points` is what it lets through by itself. */
export interface WindowCounter {
  consume: RateLimiterAbstract['consume'];
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
    const { result, exceeded } = await this.#count(budget, points);
    const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
    reply.headers({
      'x-ratelimit-limit': budget.perMinute,
      'x-ratelimit-remaining': Math.max(
        0,
        budget.perMinute - result.consumedPoints,
      ),
      'x-ratelimit-reset': Math.ceil(
        (this.#now() + result.msBeforeNext) / 1_000,
      ),
    });
    if (exceeded) {
      throw new RateLimitedError(seconds);
    }
  }

  async #count(
    { id, perMinute }: Budget,
    points: number,
  ): Promise<{ result: RateLimiterRes; exceeded: boolean }> {
    let counter = this.#counters.get(perMinute);
    if (!counter) {
      counter = this.#counter(perMinute);
      this.#counters.set(perMinute, counter);
    }
    try {
      return { result: await counter.consume(id, points), exceeded: false };
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) {
        return { result: rejection, exceeded: true };
      }
      throw rejection;
    }
  }
}
