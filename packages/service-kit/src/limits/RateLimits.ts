import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import ipaddr from 'ipaddr.js';
import { RateLimitedError } from '../errors/ServiceError.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { budgetOf } from '../auth/credentials.ts';

/** A group of requests that are counted together, and their limit per minute. */
export interface Budget {
  id: string;
  perMinute: number;
}

/** The state of a window. */
export type WindowCount = Pick<
  RateLimiterRes,
  'consumedPoints' | 'msBeforeNext'
>;

/** A fixed-window counter over one minute; `points` is its own limit. */
export interface WindowCounter {
  consume: RateLimiterAbstract['consume'];
  /**
   * Counts without a promise, if the counts are in memory; the result may be above the limit.
   */
  consumeNow?(key: string, points: number): WindowCount;
  get: RateLimiterAbstract['get'];
  readonly points: number;
}

/**
 * Counts requests in fixed windows of a minute and sets the headers of every response:
 * `X-RateLimit-Limit`, `-Remaining` and `-Reset` (Unix seconds).
 */
export class RateLimits {
  readonly #counter: (perMinute: number) => WindowCounter;
  readonly #counters = new Map<number, WindowCounter>();
  readonly #now: () => number;

  /** @param options.counter - creates the counter for a limit. */
  constructor(options: {
    counter: (perMinute: number) => WindowCounter;
    now: () => number;
  }) {
    this.#counter = options.counter;
    this.#now = options.now;
  }

  /**
   * Counts against a budget and sets the headers.
   *
   * @param options.points - how many points to consume; 1 for a request.
   * @throws RateLimitedError if too few points are left in this minute.
   */
  async consume(
    reply: FastifyReply,
    options: { budget: Budget; points?: number },
  ): Promise<void> {
    await this.consumeSoon(reply, options);
  }

  /**
   * Does the same at once if the counts are in memory, so that requests do not wait for a microtask.
   *
   * @returns a promise if the counts are elsewhere.
   * @throws RateLimitedError, or rejects with it.
   */
  consumeSoon(
    reply: FastifyReply,
    options: { budget: Budget; points?: number },
  ): Promise<void> | undefined {
    const { budget, points = 1 } = options;
    const counter = this.#counterFor(budget.perMinute);
    if (!counter.consumeNow) {
      return counter.consume(budget.id, points).then(
        result => this.#tell(reply, budget, result),
        rejection => {
          if (rejection instanceof RateLimiterRes) {
            this.#tell(reply, budget, rejection);
            throw usedUp(rejection);
          }
          throw rejection;
        },
      );
    }
    const count = counter.consumeNow(budget.id, points);
    this.#tell(reply, budget, count);
    if (count.consumedPoints > budget.perMinute) {
      throw usedUp(count);
    }
    return undefined;
  }

  /**
   * Consumes as many points as a budget has left this minute, for work that can be done in part.
   *
   * @param options.points - maximum number of points.
   * @param options.reply - the response to set the headers on, if there is one.
   * @returns how many points were consumed; 0 if none are left this minute.
   */
  async take(options: {
    budget: Budget;
    points: number;
    reply?: FastifyReply;
  }): Promise<number> {
    const { budget, points, reply } = options;
    const counter = this.#counterFor(budget.perMinute);
    const spent = await counter.get(budget.id);
    const isNow = spent !== null && spent.msBeforeNext > 0;
    const left = budget.perMinute - (isNow ? spent.consumedPoints : 0);
    const taken = Math.max(0, Math.min(points, left));
    try {
      const result = await counter.consume(budget.id, taken);
      if (reply) {
        this.#tell(reply, budget, result);
      }
      return taken;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) {
        throw rejection;
      }
      if (reply) {
        this.#tell(reply, budget, rejection);
      }
      // Another request consumed them in the meantime: return what was consumed here.
      if (taken > 0) {
        await counter.consume(budget.id, -taken).catch(() => undefined);
      }
      return 0;
    }
  }

  /**
   * Checks a budget without consuming any of it.
   *
   * @throws RateLimitedError if none of it is left this minute.
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
    { consumedPoints, msBeforeNext }: WindowCount,
  ): void {
    const left = Math.max(0, perMinute - consumedPoints);
    const resetAt = Math.ceil((this.#now() + msBeforeNext) / 1_000);
    // As text: Node.js would convert numbers once to check them and again to write them.
    reply
      .header('x-ratelimit-limit', String(perMinute))
      .header('x-ratelimit-remaining', String(left))
      .header('x-ratelimit-reset', String(resetAt));
  }
}

function usedUp({ msBeforeNext }: WindowCount): RateLimitedError {
  return new RateLimitedError(Math.max(1, Math.ceil(msBeforeNext / 1_000)));
}

/** Limits requests without a valid credential by their address. */
export class AddressBudgets {
  readonly #limits: RateLimits;
  readonly #isEnabled: boolean;
  readonly #perMinute: number;

  constructor(options: {
    limits: RateLimits;
    rateLimit: Pick<
      CommonConfig['rateLimit'],
      'enabled' | 'perMinute' | 'anonymousPerMinute'
    >;
  }) {
    const { enabled, perMinute, anonymousPerMinute } = options.rateLimit;
    this.#limits = options.limits;
    this.#isEnabled = enabled;
    this.#perMinute = anonymousPerMinute ?? perMinute;
  }

  /** Returns the budget that a request counts against. */
  of(request: FastifyRequest): Budget {
    return { id: addressBudget(request.ip), perMinute: this.#perMinute };
  }

  /**
   * Counts a request against its address.
   *
   * @throws RateLimitedError if the address is over its limit.
   */
  async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#isEnabled) {
      await this.#limits.consume(reply, { budget: this.of(request) });
    }
  }

  /**
   * Checks the limit without counting. Call it before looking up a credential that is not cached in
   * memory, so that guesses cause no database queries.
   *
   * @throws RateLimitedError if the address of the request is over its limit.
   */
  async assertLeft(request: FastifyRequest): Promise<void> {
    if (this.#isEnabled) {
      await this.#limits.assertLeft(this.of(request));
    }
  }
}

/**
 * Number of leading 16-bit groups of an IPv6 address that identify the network; its holder controls
 * the rest.
 */
const NETWORK_GROUPS = 4;

/**
 * Names the budget of an address. IPv6 addresses are counted by /64, since one caller controls all
 * addresses in it; an IPv4 address counts the same in either notation.
 *
 * @param ip - Fastify's `request.ip`.
 */
export function addressBudget(ip: string): string {
  return budgetOf('address', ip.includes(':') ? networkOf(ip) : ip);
}

function networkOf(ip: string): string {
  // A value forwarded by a proxy need not be an address.
  if (!ipaddr.IPv6.isValid(ip)) {
    return ip;
  }
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? address.parts.slice(0, NETWORK_GROUPS).join(':')
    : address.toString();
}
