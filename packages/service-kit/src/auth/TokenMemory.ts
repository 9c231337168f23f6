import { hash } from 'node:crypto';

const KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

/**
 * What was learnt of tokens, kept for 10 s and under their digests: a session asks many
 * times in a row, and what ends it shows soon all the same.
 */
export class TokenMemory<T> {
  readonly #now: () => number;
  readonly #kept = new Map<string, { until: number; value: T }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(token: string): T | undefined {
    const kept = this.#kept.get(digest(token));
    return kept && kept.until > this.#now() ? kept.value : undefined;
  }

  /** @param expires - when the token ends, in milliseconds since the Unix epoch. */
  set(token: string, value: T, expires = Infinity): void {
    if (this.#kept.size >= KEPT_AT_MOST) {
      this.#kept.clear();
    }
    const until = Math.min(this.#now() + KEPT_MS, expires);
    this.#kept.set(digest(token), { until, value });
  }

  delete(token: string): void {
    this.#kept.delete(digest(token));
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64url');
}
