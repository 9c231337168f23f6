/** Timeout for assertions, long enough for a busy machine. */
const PATIENCE_MS = 20_000;

/**
 * Like `vi.waitFor`, whose default timeout of a second may be over before a delayed process has run
 * at all.
 */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS });
}
