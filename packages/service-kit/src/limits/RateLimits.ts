import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import {
  countersInMemory,
  countersInRedis,
  type MinuteCount,
  type MinuteCounters,
} from '@slipway/platform-guards';
import { RateLimitedError } from '../errors/ServiceError.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { budgetOf } from '../auth/credentials.ts';

/** A group of requests that are counted together, and their limit per minute. */
export interface Budget {
  id: string;
  perMinute: number;
}

/** Opens the store of the counts: this process, or the Redis that replicas share. */
export async function openCounters(options: {
  /** Name of the service. */
  name: string;
  config: CommonConfig['rateLimit'];
  logger: Logger;
}): Promise<MinuteCounters> {
  const { name, config, logger } = options;
  return config.store === 'redis'
    ? countersInRedis({
        url: config.redis!,
        owner: name,
        logger: {
          warn: (message, err) => logger.warn({ err }, message),
          info: message => logger.info(message),
        },
      })
    : countersInMemory();
}

/**
 * Counts requests in fixed windows of a minute and sets the headers of every response:
 * `X-RateLimit-Limit`, `-Remaining` and `-Reset` (Unix seconds).
 */
export class RateLimits {
  readonly #counters: MinuteCounters;
  readonly #now: () => number;

  constructor(options: { counters: MinuteCounters; now: () => number }) {
    this.#counters = options.counters;
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
   * Like `consume`, but synchronous if the counts are in memory, so that requests do not wait for a
   * microtask.
   *
   * @returns a promise if the counts are elsewhere.
   * @throws RateLimitedError, or rejects with it.
   */
  consumeSoon(
    reply: FastifyReply,
    options: { budget: Budget; points?: number },
  ): Promise<void> | undefined {
    const { budget, points = 1 } = options;
    const { id, perMinute } = budget;
    const settle = (count: MinuteCount) => {
      this.#tell(reply, budget, count);
      if (count.requests > perMinute) {
        throw usedUp(count);
      }
    };
    if (!this.#counters.countNow) {
      return this.#counters.count(id, perMinute, points).then(settle);
    }
    settle(this.#counters.countNow(id, perMinute, points));
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
    const { id, perMinute } = budget;
    const spent = await this.#counters.read(id, perMinute);
    const left = perMinute - (spent?.requests ?? 0);
    const taken = Math.max(0, Math.min(points, left));
    const count = await this.#counters.count(id, perMinute, taken);
    if (reply) {
      this.#tell(reply, budget, count);
    }
    if (count.requests <= perMinute) {
      return taken;
    }
    // Another request consumed them in the meantime: return what was consumed here.
    if (taken > 0) {
      await this.#counters.count(id, perMinute, -taken);
    }
    return 0;
  }

  /**
   * Checks a budget without consuming any of it.
   *
   * @throws RateLimitedError if none of it is left this minute.
   */
  async assertLeft({ id, perMinute }: Budget): Promise<void> {
    const spent = await this.#counters.read(id, perMinute);
    if (spent && spent.requests >= perMinute) {
      throw usedUp(spent);
    }
  }

  #tell(
    reply: FastifyReply,
    { perMinute }: Budget,
    { requests, endsInMs }: MinuteCount,
  ): void {
    const left = Math.max(0, perMinute - requests);
    const resetAt = Math.ceil((this.#now() + endsInMs) / 1_000);
    // As strings: Node.js would convert a number twice, to check it and to write it.
    reply
      .header('x-ratelimit-limit', `${perMinute}`)
      .header('x-ratelimit-remaining', `${left}`)
      .header('x-ratelimit-reset', `${resetAt}`);
  }
}

function usedUp({ endsInMs }: MinuteCount): RateLimitedError {
  return new RateLimitedError(Math.max(1, Math.ceil(endsInMs / 1_000)));
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
