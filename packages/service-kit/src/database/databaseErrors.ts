import { setTimeout as sleep } from 'node:timers/promises';

/** Thrown if the database cannot be reached or does not respond; the caller may retry later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super('The database is not responding', { cause });
  }
}

const CONNECTION_CODES = new Set([
  // Node.js
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

/**
 * Checks whether an error means that the database is unavailable, rather than that the statement
 * failed.
 */
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

/** PostgreSQL codes of serialization_failure and deadlock_detected. */
const CLASHES = new Set(['40001', '40P01']);
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10;

/**
 * Retries a transaction that conflicts with another, up to five attempts in total. The pauses are
 * random and grow, so that two conflicting transactions do not stay in step.
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
