/** Timeout for assertions, long enough for a busy machine. */
const PATIENCE_MS = 20_000;

/**
 * Like `vi.waitFor`, but with a timeout for busy machines: the default of one second may expire before a
 * process has run at all.
 */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS });
}
