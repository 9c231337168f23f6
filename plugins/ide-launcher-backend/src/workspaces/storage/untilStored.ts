import { setTimeout as delay } from 'node:timers/promises';
import { LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';

/** The pause after the first failed attempt; each further one is twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;

/**
 * Reads or writes a record, retrying until the database succeeds: a change in the runtime cannot be
 * undone, and nothing else would record it.
 *
 * @throws the error immediately if a retry would fail too, see {@link isRefused}; otherwise the last
 * one when `signal` aborts.
 */
export async function untilStored<T>(
  logger: LoggerService,
  signal: AbortSignal,
  access: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await access();
    } catch (error) {
      if (signal.aborted || isRefused(error)) {
        throw error;
      }
      logger.warn(
        `A workspace could not be recorded, trying again: ${stringifyError(error)}`,
      );
    }
    await delay(Math.min(pauseMs, MAX_PAUSE_MS), undefined, {
      ref: false,
      signal,
    }).catch(() => undefined);
  }
}

/** Matches PostgreSQL's and SQLite's codes for invalid data, violated constraints and bad statements. */
const REFUSALS =
  /^(?:2[23]\w{3}|42\w{3}|SQLITE_(?:CONSTRAINT\w*|ERROR|MISMATCH|RANGE|TOOBIG))$/;

/** Returns whether a retry would fail too: the database rejected the statement, or the code has a bug. */
export function isRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return (
    error instanceof TypeError ||
    (typeof code === 'string' && REFUSALS.test(code))
  );
}
