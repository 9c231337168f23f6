import { LoggerService } from '@backstage/backend-plugin-api';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;
const WARN_AGAIN_AFTER_MS = 60_000;

/** The count of one key in its current minute. */
interface Count {
  requests: number;
  /** Milliseconds until the end of the minute. */
  endsInMs: number;
}

/**
 * A store that counts requests in fixed windows of a minute, which start with a caller's first
 * request.
 */
export interface Counters {
  /**
   * Counts a request. The same key under another limit is counted separately.
   *
   * @param requests - how many to count; defaults to 1, 0 only reads the count.
   */
  count(key: string, perMinute: number, requests?: 0 | 1): Promise<Count>;
  close(): void;
}

/**
 * Counts in this process only, by a monotonic clock.
 *
 * @param now - milliseconds of a monotonic clock.
 */
export function countersInMemory(
  now: () => number = () => performance.now(),
): Counters {
  // In the order in which they end, as all windows have the same length.
  const minutes = new Map<string, { requests: number; endsAt: number }>();
  const forgetEnded = (at: number) => {
    for (const [key, { endsAt }] of minutes) {
      if (endsAt > at) {
        return;
      }
      minutes.delete(key);
    }
  };
  return {
    async count(key, perMinute, requests = 1) {
      const at = now();
      forgetEnded(at);
      const id = `${perMinute}:${key}`;
      const minute = minutes.get(id) ?? {
        requests: 0,
        endsAt: at + MINUTE_S * 1_000,
      };
      minute.requests += requests;
      minutes.set(id, minute);
      return { requests: minute.requests, endsInMs: minute.endsAt - at };
    },
    close() {},
  };
}

/**
 * Counts in Redis, shared by all replicas. While Redis is unavailable, each replica counts on its
 * own: the limit is then too generous, but the portal stays up.
 *
 * @param options.url - `redis:` or `rediss:`, optionally with user and password.
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
    // The ready check would be subject to the timeout above, and a slow response would loop
    // forever.
    enableReadyCheck: false,
    retryStrategy: attempt => Math.min(attempt * 100, 5_000),
  });
  let warnedAt = -Infinity;
  redis.on('error', (error: Error) => {
    if (Date.now() - warnedAt > WARN_AGAIN_AFTER_MS) {
      warnedAt = Date.now();
      logger.warn(
        'Redis is unavailable, rate limits are counted per process',
        error,
      );
    }
  });
  redis.on('ready', () => {
    if (warnedAt > -Infinity) {
      warnedAt = -Infinity;
      logger.info('Redis is available, rate limits are shared by replicas');
    }
  });
  const fallback = countersInMemory();
  const limiters = new Map<number, RateLimiterRedis>();
  const limiterOf = (perMinute: number) => {
    const limiter =
      limiters.get(perMinute) ??
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `slipway:portal:limit:${perMinute}`,
        points: perMinute,
        duration: MINUTE_S,
        rejectIfRedisNotReady: true,
      });
    limiters.set(perMinute, limiter);
    return limiter;
  };
  return {
    async count(key, perMinute, requests = 1) {
      const answer = await limiterOf(perMinute)
        .consume(key, requests)
        // Over the limit, it rejects with the count.
        .catch((rejection: unknown) => rejection);
      return answer instanceof RateLimiterRes
        ? { requests: answer.consumedPoints, endsInMs: answer.msBeforeNext }
        : fallback.count(key, perMinute, requests);
    },
    close: () => redis.disconnect(),
  };
}
