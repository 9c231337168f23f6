import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import ipaddr from 'ipaddr.js';
import { RateLimitedError } from '../errors/ServiceError.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { budgetOf } from '../auth/credentials.ts';

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
   * Counts as much against a budget as its minute has left, for what can be done in part.
   *
   * @param options.points - how much at most.
   * @param options.reply - gets the headers, where somebody waits for it.
   * @returns how much was counted; 0 when the minute is used up.
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
      // Somebody else was quicker: what was counted is given back.
      if (taken > 0) {
        await counter.consume(budget.id, -taken).catch(() => undefined);
      }
      return 0;
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

/** What addresses may do that show no valid credential. */
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

  /** What a request counts against. */
  of(request: FastifyRequest): Budget {
    return { id: addressBudget(request.ip), perMinute: this.#perMinute };
  }

  /**
   * Counts a request against its address.
   *
   * @throws RateLimitedError when its minute is used up.
   */
  async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#isEnabled) {
      await this.#limits.consume(reply, { budget: this.of(request) });
    }
  }

  /**
   * Counts nothing; to be asked before a credential is looked up that is not known in
   * memory, so that guesses cost no questions to a database.
   *
   * @throws RateLimitedError when the minute of the request's address is used up.
   */
  async assertLeft(request: FastifyRequest): Promise<void> {
    if (this.#isEnabled) {
      await this.#limits.assertLeft(this.of(request));
    }
  }
}

/** Groups of 16 bits of an IPv6 address that say whose network it is; the rest its holder chooses. */
const NETWORK_GROUPS = 4;

/**
 * Names the budget of an address. IPv6 addresses count by their /64, since one caller has
 * all addresses of one; an IPv4 address counts the same in either notation.
 *
 * @param ip - as Fastify tells it in `request.ip`.
 */
export function addressBudget(ip: string): string {
  return budgetOf('address', ip.includes(':') ? networkOf(ip) : ip);
}

function networkOf(ip: string): string {
  // What a proxy forwards need not be an address.
  if (!ipaddr.IPv6.isValid(ip)) {
    return ip;
  }
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? address.parts.slice(0, NETWORK_GROUPS).join(':')
    : address.toString();
}
