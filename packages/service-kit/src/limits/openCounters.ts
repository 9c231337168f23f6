import {
  RateLimiterRedis,
  RateLimiterMemory,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from 'pino';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { WindowCounter } from './RateLimits.ts';

const MINUTE_MS = 60_000;

interface Minute {
  consumed: number;
  endsAt: number;
}

/**
 * Counts in this process only, by a monotonic clock. The library uses the time of day: when the
 * clock jumped, callers had to wait an hour or not at all.
 */
class MinuteCounter extends RateLimiterMemory implements WindowCounter {
  // In the order in which they end, as all windows have the same length.
  readonly #minutes = new Map<string | number, Minute>();

  override async consume(
    key: string | number,
    points = 1,
  ): Promise<RateLimiterRes> {
    return this.consumeNow(key, points);
  }

  consumeNow(key: string | number, points: number): RateLimiterRes {
    const now = performance.now();
    this.#forgetEnded(now);
    let minute = this.#minutes.get(key);
    if (!minute) {
      minute = { consumed: 0, endsAt: now + MINUTE_MS };
      this.#minutes.set(key, minute);
    }
    minute.consumed += points;
    const result = this.#resultOf(minute, now);
    if (minute.consumed > this.points) {
      throw result;
    }
    return result;
  }

  override async get(key: string | number): Promise<RateLimiterRes | null> {
    const now = performance.now();
    this.#forgetEnded(now);
    const minute = this.#minutes.get(key);
    return minute ? this.#resultOf(minute, now) : null;
  }

  #resultOf({ consumed, endsAt }: Minute, now: number): RateLimiterRes {
    const left = Math.max(0, this.points - consumed);
    return new RateLimiterRes(left, endsAt - now, consumed);
  }

  #forgetEnded(now: number): void {
    for (const [key, { endsAt }] of this.#minutes) {
      if (endsAt > now) {
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
