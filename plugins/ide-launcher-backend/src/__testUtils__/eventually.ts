/** How long a busy machine may take for what is otherwise done at once. */
const PATIENCE_MS = 20_000;

/** As `vi.waitFor`, whose own second may be over before a process that was held up has run at all. */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS });
}
