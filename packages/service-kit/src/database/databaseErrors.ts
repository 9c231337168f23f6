import { setTimeout as sleep } from 'node:timers/promises';

/** The database cannot be reached or does not answer: the caller may try again later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super('The database is not responding', { cause });
  }
}

const CONNECTION_CODES = new Set([
  // Node's own
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  // PostgreSQL, class 08 and 57P
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // SQLite
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_FULL',
]);

const CONNECTION_TEXTS =
  /Connection terminated|Connection ended|Unable to acquire a connection|Timeout acquiring a connection|database connection is not open/i;

/** Tells whether an error says that the database is gone, not that the statement was wrong. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { code } = error as { code?: unknown };
  return (
    (typeof code === 'string' && CONNECTION_CODES.has(code)) ||
    CONNECTION_TEXTS.test(error.message)
  );
}

/** PostgreSQL: serialization_failure and deadlock_detected. */
const CLASHES = new Set(['40001', '40P01']);
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10;

/**
 * Runs a transaction again where it clashed with another, at most five times, with
 * growing random pauses so that two do not clash in step.
 */
export async function retryClashes<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const { code } = error as { code?: string };
      if (tries === ATTEMPTS || !code || !CLASHES.has(code)) {
        throw error;
      }
      await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}
