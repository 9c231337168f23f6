import { LoggerService } from '@backstage/backend-plugin-api';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;
const WARN_AGAIN_AFTER_MS = 60_000;

/** What was counted of one key in its present minute. */
interface Count {
  requests: number;
  /** Milliseconds until the minute is over. */
  endsInMs: number;
}

/** A store that counts requests in fixed minutes, which begin with a caller's first request. */
export interface Counters {
  /**
   * Counts a request; those of a key under another limit are counted apart.
   *
   * @param requests - how many to count, 1 when left out; 0 only looks.
   */
  count(key: string, perMinute: number, requests?: 0 | 1): Promise<Count>;
  close(): void;
}

/**
 * Counts in this process alone, by a clock that nobody sets.
 *
 * @param now - milliseconds of a monotonic clock.
 */
export function countersInMemory(
  now: () => number = () => performance.now(),
): Counters {
  // In the order in which their minutes end, as all are equally long.
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
        // Over the limit it rejects with the count.
        .catch((rejection: unknown) => rejection);
      return answer instanceof RateLimiterRes
        ? { requests: answer.consumedPoints, endsInMs: answer.msBeforeNext }
        : fallback.count(key, perMinute, requests);
    },
    close: () => redis.disconnect(),
  };
}
