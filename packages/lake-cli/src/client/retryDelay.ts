const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * Milliseconds to wait before another attempt: what the server asks for
 * (`Retry-After`, seconds or a date, RFC 9110 section 10.2.3), else twice as long
 * each time, spread so that several senders do not come back together.
 *
 * @param options.attempt - the one that failed, from 1.
 */
export function retryDelay(options: {
  attempt: number;
  retryAfter: string | null;
  now?: number;
  random?: () => number;
}): number {
  const {
    attempt,
    retryAfter,
    now = Date.now(),
    random = Math.random,
  } = options;
  if (retryAfter) {
    const seconds = Number(retryAfter);
    const asked = Number.isNaN(seconds)
      ? Date.parse(retryAfter) - now
      : seconds * 1_000;
    if (asked >= 0) {
      return Math.min(asked, LONGEST_RETRY_AFTER_MS);
    }
  }
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return delay * (0.75 + random() / 2);
}
