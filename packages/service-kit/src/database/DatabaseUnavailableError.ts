/** The database cannot be reached or does not answer: the caller may try again later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super('The database does not answer', { cause });
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
