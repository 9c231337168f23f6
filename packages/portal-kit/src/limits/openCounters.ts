import { LoggerService } from '@backstage/backend-plugin-api';
import {
  RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
} from 'rate-limiter-flexible';

const MINUTE_S = 60;
const WARN_AGAIN_AFTER_MS = 60_000;

/** Where requests are counted, in fixed minutes that begin with a caller's first request. */
export interface Counters {
  /** The counter of everybody who has this limit. */
  counter(perMinute: number): RateLimiterAbstract;
  close(): void;
}

/** Counts in this process alone. */
export function countersInMemory(): Counters {
  return {
    counter: perMinute =>
      new RateLimiterMemory({ points: perMinute, duration: MINUTE_S }),
    close() {},
  };
}

/**
 * Counts in Redis, together with all replicas. While Redis is gone each replica
 * counts for itself: a limit that is too wide for a while, never a portal that is down.
 *
 * @param options.url - `redis:` or `rediss:`, with user and password where there are any.
 */
export async function countersInRedis(options: {
  url: string;
  logger: LoggerService;
}): Promise<Counters> {
  const { url, logger } = options;
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    // Its question would be under the time-out above, and a slow answer an endless loop.
    enableReadyCheck: false,
    retryStrategy: attempt => Math.min(attempt * 100, 5_000),
  });
  let warnedAt = -Infinity;
  redis.on('error', (error: Error) => {
    if (Date.now() - warnedAt > WARN_AGAIN_AFTER_MS) {
      warnedAt = Date.now();
      logger.warn(
        'Redis is not reached, rate limits count in this process alone',
        error,
      );
    }
  });
  redis.on('ready', () => {
    if (warnedAt > -Infinity) {
      warnedAt = -Infinity;
      logger.info('Redis is reached, rate limits count across replicas');
    }
  });
  const fallback = countersInMemory();
  return {
    counter: perMinute =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `slipway:portal:limit:${perMinute}`,
        points: perMinute,
        duration: MINUTE_S,
        rejectIfRedisNotReady: true,
        insuranceLimiter: fallback.counter(perMinute),
      }),
    close: () => redis.disconnect(),
  };
}
