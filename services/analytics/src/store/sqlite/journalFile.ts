import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { mapsOf } from '../propertyMaps.ts';
import { type EventRow, toEvent } from './eventRows.ts';

/** Thrown if another process, or another journal in this one, uses the directory. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';

  constructor(directory: string) {
    super(`${directory} is in use by another process`);
  }
}

/** Maximum milliseconds to wait for an exiting process to release the directory. */
const PATIENCE_MS = 3_000;

/** Maximum milliseconds to wait for another process that uses the file. */
export const BUSY_MS = 5_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  uuid TEXT NOT NULL,
  event TEXT NOT NULL,
  distinct_id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  properties TEXT NOT NULL,
  maps TEXT
);
CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seen (
  project_id TEXT NOT NULL,
  uuid BLOB NOT NULL,
  day INTEGER NOT NULL,
  PRIMARY KEY (project_id, uuid)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seen_by_day ON seen (day);
`;

/**
 * Opens the file of a journal.
 * @param directory - absolute; created if missing.
 * @throws DirectoryInUseError if another journal has it open.
 */
export function openJournalFile(directory: string): {
  filename: string;
  database: Database.Database;
  /** Closes the file, and releases the directory. */
  close: () => void;
} {
  mkdirSync(directory, { recursive: true });
  const unlock = lockDirectory(directory);
  const filename = path.join(directory, 'events.sqlite');
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  // With NORMAL, a power failure in WAL mode could lose the latest commits.
  database.pragma('synchronous = FULL');
  database.pragma(`busy_timeout = ${BUSY_MS}`);
  // Overwrites deleted data in the file, because the data of deleted people must not remain.
  database.pragma('secure_delete = ON');
  return {
    filename,
    database,
    close() {
      database.close();
      unlock();
    },
  };
}

/**
 * Locks a directory for this process with the write lock of a database file that is never written.
 * The operating system releases the lock however the process ends.
 * @returns a function that releases it.
 * @throws DirectoryInUseError
 */
function lockDirectory(directory: string): () => void {
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

/** Creates missing tables. @returns the journal's id, which is created at its first start. */
export function createTables(database: Database.Database): string {
  database.exec(SCHEMA);
  addMaps(database);
  const select = database.prepare('SELECT id FROM identity');
  const known = select.get() as { id: string } | undefined;
  const id = known?.id ?? randomUUID();
  if (!known) {
    database.prepare('INSERT INTO identity (id) VALUES (?)').run(id);
  }
  return id;
}

/** Adds the column `maps`, which journals of earlier versions lack, and fills it for pending events. */
function addMaps(database: Database.Database): void {
  const columns = database.pragma('table_info(events)') as { name: string }[];
  if (columns.some(({ name }) => name === 'maps')) {
    return;
  }
  database
    .transaction(() => {
      database.exec('ALTER TABLE events ADD COLUMN maps TEXT');
      const set = database.prepare('UPDATE events SET maps = ? WHERE seq = ?');
      const rows = database.prepare('SELECT * FROM events').all() as EventRow[];
      for (const row of rows) {
        const maps = mapsOf(toEvent(row).properties);
        if (maps !== undefined) {
          set.run(maps, row.seq);
        }
      }
    })
    .immediate();
}
