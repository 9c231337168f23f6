import {
  RateLimiterRedis,
  RateLimiterMemory,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from 'pino';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { WindowCount, WindowCounter } from './RateLimits.ts';

const MINUTE_MS = 60_000;

interface Minute {
  consumed: number;
  /** The time by the monotonic clock, in milliseconds. */
  readonly endsAt: number;
}

/**
 * Counts in this process only, by a monotonic clock. The library uses the time of day: when the
 * clock jumped, callers had to wait an hour or not at all.
 */
class MinuteCounter extends RateLimiterMemory implements WindowCounter {
  // In the order in which they end, as all windows have the same length.
  readonly #minutes = new Map<string | number, Minute>();
  /** When the first of them ends. */
  #nextEnd = Infinity;

  override async consume(
    key: string | number,
    points = 1,
  ): Promise<RateLimiterRes> {
    const { consumedPoints, msBeforeNext } = this.consumeNow(key, points);
    const result = this.#resultOf(consumedPoints, msBeforeNext);
    if (consumedPoints > this.points) {
      throw result;
    }
    return result;
  }

  consumeNow(key: string | number, points: number): WindowCount {
    const now = performance.now();
    this.#forgetEnded(now);
    let minute = this.#minutes.get(key);
    if (!minute) {
      minute = { consumed: 0, endsAt: now + MINUTE_MS };
      this.#minutes.set(key, minute);
      this.#nextEnd = Math.min(this.#nextEnd, minute.endsAt);
    }
    minute.consumed += points;
    return {
      consumedPoints: minute.consumed,
      msBeforeNext: minute.endsAt - now,
    };
  }

  override async get(key: string | number): Promise<RateLimiterRes | null> {
    const now = performance.now();
    this.#forgetEnded(now);
    const minute = this.#minutes.get(key);
    return minute ? this.#resultOf(minute.consumed, minute.endsAt - now) : null;
  }

  #resultOf(consumed: number, msLeft: number): RateLimiterRes {
    const left = Math.max(0, this.points - consumed);
    return new RateLimiterRes(left, msLeft, consumed);
  }

  #forgetEnded(now: number): void {
    if (now < this.#nextEnd) {
      return;
    }
    this.#nextEnd = Infinity;
    for (const [key, { endsAt }] of this.#minutes) {
      if (endsAt > now) {
        this.#nextEnd = endsAt;
        return;
      }
      this.#minutes.delete(key);
    }
  }
}

const MINUTE_S = 60;
const WARN_AGAIN_AFTER_MS = 60_000;

/** A store of request counts. */
export interface CounterStore {
  counter(perMinute: number): WindowCounter;
  close(): Promise<void>;
}

/**
 * Opens the store of the rate limits. If Redis is unavailable, each process counts on its own in
 * the meantime: the limit is then too generous for a while, but the service stays up.
 */
export async function openCounters(options: {
  name: string;
  config: CommonConfig['rateLimit'];
  logger: Logger;
}): Promise<CounterStore> {
  const { name, config, logger } = options;
  const inMemory = (perMinute: number) =>
    new MinuteCounter({ points: perMinute, duration: MINUTE_S });
  if (config.store !== 'redis') {
    return { counter: inMemory, async close() {} };
  }
  const { Redis } = await import('ioredis');
  const redis = new Redis(config.redis!, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    // The ready check would be subject to the timeout above, and a slow response would loop
    // forever.
    enableReadyCheck: false,
    retryStrategy: attempt => Math.min(attempt * 100, 5_000),
  });
  let warnedAt = -Infinity;
  redis.on('error', (error: Error) => {
    const now = Date.now();
    if (now - warnedAt > WARN_AGAIN_AFTER_MS) {
      warnedAt = now;
      logger.warn(
        { err: error },
        'Redis is unavailable, rate limits are counted per process',
      );
    }
  });
  redis.on('ready', () => {
    if (warnedAt > -Infinity) {
      warnedAt = -Infinity;
      logger.info('Redis is available, rate limits are shared by replicas');
    }
  });
  return {
    counter: perMinute =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `slipway:${name}:limit:${perMinute}`,
        points: perMinute,
        duration: MINUTE_S,
        rejectIfRedisNotReady: true,
        insuranceLimiter: inMemory(perMinute),
      }),
    async close() {
      redis.disconnect();
    },
  };
}
