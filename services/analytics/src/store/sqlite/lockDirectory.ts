import path from 'node:path';
import Database from 'better-sqlite3';

/** Another process, or another part of this one, keeps its events in the directory. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';

  constructor(directory: string) {
    super(`${directory} is in use by another process`);
  }
}

/** How long the process that is about to end has to let go of it. */
const PATIENCE_MS = 3_000;

/**
 * Takes a directory for this process alone, by the write lock of a database file that is
 * never written: the system gives it back however the process ends.
 *
 * @returns what gives it back.
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
