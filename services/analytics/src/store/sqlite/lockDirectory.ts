import path from 'node:path';
import Database from 'better-sqlite3';

/** Thrown if another process, or another part of this one, uses the directory for its events. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';

  constructor(directory: string) {
    super(`${directory} is in use by another process`);
  }
}

/** Maximum milliseconds to wait for an exiting process to release the directory. */
const PATIENCE_MS = 3_000;

/**
 * Locks a directory for this process with the write lock of a database file that is
 * never written: the system releases it however the process ends.
 * @returns a function that releases it.
 * @throws DirectoryInUseError
 */
export function lockDirectory(directory: string): () => void {
  const database = new Database(path.join(directory, 'lock.sqlite'), {
    timeout: PATIENCE_MS,
  });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw (error as { code?: string }).code === 'SQLITE_BUSY'
      ? new DirectoryInUseError(directory)
      : error;
  }
  return () => database.close();
}
