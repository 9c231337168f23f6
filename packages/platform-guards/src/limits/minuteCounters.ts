import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;
const MINUTE_MS = MINUTE_S * 1_000;
const WARN_AGAIN_AFTER_MS = 60_000;

/** The count of one key in its current minute. */
export interface MinuteCount {
  requests: number;
  /** Milliseconds until the end of the minute. */
  endsInMs: number;
}

/**
 * A store that counts requests in fixed windows of a minute, each of which starts with a caller's
 * first request. Counts of the same key under different limits are separate.
 */
export interface MinuteCounters {
  /**
   * Counts requests and returns the new count.
   *
   * @param requests - how many to count, 1 by default; a negative number lowers the count.
   */
  count(
    key: string,
    perMinute: number,
    requests?: number,
  ): Promise<MinuteCount>;
  /** Like `count`, but synchronous; missing if the counts are not in memory. */
  countNow?(key: string, perMinute: number, requests?: number): MinuteCount;
  /** Reads a count; null if no minute of the key has begun. */
  read(key: string, perMinute: number): Promise<MinuteCount | null>;
  close(): void;
}

/** Counts of one limit in this process. */
class MinuteWindows {
  // Ordered by their end, since all windows have the same length.
  readonly #windows = new Map<string, { requests: number; endsAt: number }>();
  /** When the first window ends. */
  #nextEnd = Infinity;

  count(key: string, requests: number, now: number): MinuteCount {
    this.#forgetEnded(now);
    let window = this.#windows.get(key);
    if (!window) {
      window = { requests: 0, endsAt: now + MINUTE_MS };
      this.#windows.set(key, window);
      this.#nextEnd = Math.min(this.#nextEnd, window.endsAt);
    }
    window.requests += requests;
    return { requests: window.requests, endsInMs: window.endsAt - now };
  }

  read(key: string, now: number): MinuteCount | null {
    this.#forgetEnded(now);
    const window = this.#windows.get(key);
    return window
      ? { requests: window.requests, endsInMs: window.endsAt - now }
      : null;
  }

  #forgetEnded(now: number): void {
    if (now < this.#nextEnd) {
      return;
    }
    this.#nextEnd = Infinity;
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now) {
        this.#nextEnd = endsAt;
        return;
      }
      this.#windows.delete(key);
    }
  }
}

/**
 * Counts requests in this process only. Uses a monotonic clock, because a correction of the time of day
 * could make callers wait an hour or not at all.
 */
export function countersInMemory(): MinuteCounters {
  const limits = new Map<number, MinuteWindows>();
  const windowsOf = (perMinute: number) => {
    let windows = limits.get(perMinute);
    if (!windows) {
      windows = new MinuteWindows();
      limits.set(perMinute, windows);
    }
    return windows;
  };
  const countNow = (key: string, perMinute: number, requests = 1) =>
    windowsOf(perMinute).count(key, requests, performance.now());
  return {
    countNow,
    count: async (...args) => countNow(...args),
    read: async (key, perMinute) =>
      windowsOf(perMinute).read(key, performance.now()),
    close() {},
  };
}

/**
 * Counts requests in Redis, for all replicas together. While Redis is unavailable, each replica counts
 * on its own: limits are then too generous, but the service stays up.
 *
 * @param options.url - `redis:` or `rediss:`, optionally with user and password.
 * @param options.owner - name of the service, whose limits are counted separately.
 */
export async function countersInRedis(options: {
  url: string;
  owner: string;
  logger: {
    warn(message: string, error: Error): void;
    info(message: string): void;
  };
}): Promise<MinuteCounters> {
  const { url, owner, logger } = options;
  // Imported here, since most processes count in memory.
  const { Redis } = await import('ioredis');
  const limiting = await import('rate-limiter-flexible');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    // The ready check would be subject to the timeout above, and a slow response would cause
    // endless reconnects.
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
      new limiting.RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `slipway:${owner}:limit:${perMinute}`,
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
        // The library rejects with the count if it exceeds the limit.
        .catch((rejection: unknown) => rejection);
      return answer instanceof limiting.RateLimiterRes
        ? countOf(answer)
        : fallback.count(key, perMinute, requests);
    },
    async read(key, perMinute) {
      try {
        const answer = await limiterOf(perMinute).get(key);
        return answer && answer.msBeforeNext > 0 ? countOf(answer) : null;
      } catch {
        return fallback.read(key, perMinute);
      }
    },
    close: () => redis.disconnect(),
  };
}

function countOf(answer: RateLimiterRes): MinuteCount {
  return { requests: answer.consumedPoints, endsInMs: answer.msBeforeNext };
}
