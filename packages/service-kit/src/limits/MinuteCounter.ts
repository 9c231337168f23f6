import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_MS = 60_000;

interface Minute {
  consumed: number;
  endsAt: number;
}

/**
 * Counts in this process alone, by a clock that nobody sets: the library goes by the time
 * of day, and a jump of it made callers wait for an hour or not at all.
 */
export class MinuteCounter extends RateLimiterMemory {
  // In the order in which they end, as all are equally long.
  readonly #minutes = new Map<string | number, Minute>();

  override async consume(
    key: string | number,
    points = 1,
  ): Promise<RateLimiterRes> {
    const now = performance.now();
    this.#forgetEnded(now);
    const minute = this.#minutes.get(key) ?? {
      consumed: 0,
      endsAt: now + MINUTE_MS,
    };
    minute.consumed += points;
    this.#minutes.set(key, minute);
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
