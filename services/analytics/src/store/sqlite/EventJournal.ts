import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { DeferredEvents } from './DeferredEvents.ts';
import { mapsOf } from '../propertyMaps.ts';
import {
  type EventRow,
  type JournalRange,
  type JournalRow,
  toEvent,
  valuesOf,
} from './eventRows.ts';
import { JournalArrivals } from './JournalArrivals.ts';
import { JournalMoves } from './JournalMoves.ts';
import { PeopleQueue } from './PeopleQueue.ts';
import { PeopleTables } from './PeopleTables.ts';
import { SeenUuids } from './SeenUuids.ts';
import { lockDirectory } from './lockDirectory.ts';

/** Events read per step of a deletion, to limit how long it blocks incoming events. */
const DELETE_AT_ONCE = 5_000;

/** Maximum milliseconds to wait for another process that uses the file. */
const BUSY_MS = 5_000;
/** The gap before the first position that a restored journal assigns. */
const SKIPPED = 10_000_000_000;

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
`;

/**
 * Stores every event before it is acknowledged, in a SQLite file that is synced to disk at
 * each commit. Events stay in it until a column store has them, or permanently if there is
 * none. It also remembers the uuids of events that it no longer contains.
 */
export class EventJournal {
  readonly filename: string;
  /**
   * Identifies this journal in the stores that its rows were moved to; each file has a
   * different id.
   */
  readonly id: string;
  /** The uuids of its events, present and past. */
  readonly seen: SeenUuids;
  /** The moves of events into a column store. */
  readonly moves: JournalMoves;
  /** Its events in order of arrival. */
  readonly arrivals: JournalArrivals;
  /** Events that wait until the rate limit of their project admits them. */
  readonly deferred: DeferredEvents;
  /** Changes of persons from its events that are not applied yet. */
  readonly people: PeopleQueue;
  /** The copy of persons and groups for queries of the journal itself. */
  readonly tables: PeopleTables;
  readonly #unlock: () => void;
  readonly #database: Database.Database;
  readonly #insertEvent: Database.Statement;

  /**
   * @param options.directory - absolute; created if missing.
   * @throws DirectoryInUseError if another journal has it open.
   */
  constructor(options: { directory: string }) {
    mkdirSync(options.directory, { recursive: true });
    this.#unlock = lockDirectory(options.directory);
    this.filename = path.join(options.directory, 'events.sqlite');
    this.#database = new Database(this.filename);
    this.#database.pragma('journal_mode = WAL');
    // With NORMAL, WAL mode could lose the last commits in a power failure.
    this.#database.pragma('synchronous = FULL');
    this.#database.pragma(`busy_timeout = ${BUSY_MS}`);
    // Deleted data must not stay in the file, since persons may be erased.
    this.#database.pragma('secure_delete = ON');
    // Create all tables in one commit: separate commits would each wait for the disk.
    this.#database.exec('BEGIN');
    this.#database.exec(SCHEMA);
    addMaps(this.#database);
    this.id = identify(this.#database);
    this.seen = new SeenUuids(this.#database);
    this.moves = new JournalMoves(this.#database);
    this.arrivals = new JournalArrivals(this.#database, {
      id: this.id,
      moves: this.moves,
    });
    this.people = new PeopleQueue(this.#database);
    this.tables = new PeopleTables(this.#database);
    this.deferred = new DeferredEvents(this.#database, event =>
      this.#add(event),
    );
    this.#database.exec('COMMIT');
    this.#insertEvent = this.#database.prepare(
      'INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, properties, maps) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
  }

  /**
   * Writes groups of events in one commit; no group is split.
   * @returns how many of each group were new.
   */
  append(groups: readonly (readonly AnalyticsEvent[])[]): number[] {
    return this.#database
      .transaction(() =>
        groups.map(events => events.filter(each => this.#add(each)).length),
      )
      .immediate();
  }

  #add(event: AnalyticsEvent): boolean {
    if (!this.seen.add(event)) {
      return false;
    }
    this.#insertEvent.run(...valuesOf(event), mapsOf(event.properties) ?? null);
    this.people.add(event);
    return true;
  }

  /** Returns the last used position; 0 if the journal is empty. */
  last(): number {
    const row = this.#database
      .prepare('SELECT max(seq) AS last FROM events')
      .get() as { last: number | null };
    return row.last ?? 0;
  }

  /** Returns the rows of a range, oldest first. */
  read({ first, last }: JournalRange): JournalRow[] {
    return this.#database
      .prepare('SELECT * FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq')
      .all(first, last) as JournalRow[];
  }

  /** Optimizes the journal for queries, or for appending if nothing queries it. */
  serveQueries(serves: boolean): void {
    this.#database.exec(
      serves
        ? 'CREATE INDEX IF NOT EXISTS events_by_time ON events (project_id, timestamp); CREATE INDEX IF NOT EXISTS events_by_name ON events (project_id, event, timestamp)'
        : 'DROP INDEX IF EXISTS events_by_time; DROP INDEX IF EXISTS events_by_name',
    );
  }

  /**
   * Deletes events that happened before a time, step by step. Deletes nothing if events
   * were ever moved: a move in progress needs its events.
   * @param signal - stops after the current step.
   * @returns how many were deleted.
   */
  async deleteBefore(
    before: number,
    signal: AbortSignal,
    projectId?: string,
  ): Promise<number> {
    const places = this.#database
      .prepare('SELECT min(seq) AS first, max(seq) AS last FROM events')
      .get() as { first: number | null; last: number | null };
    const remove = this.#database.prepare(
      "DELETE FROM events WHERE seq BETWEEN ? AND ? AND timestamp < ? AND project_id = coalesce(?, project_id) AND NOT EXISTS (SELECT 1 FROM facts WHERE name = 'moved')",
    );
    const last = places.last ?? 0;
    let deleted = 0;
    for (
      let first = places.first ?? 1;
      first <= last && !signal.aborted;
      first += DELETE_AT_ONCE
    ) {
      const end = first + DELETE_AT_ONCE - 1;
      deleted += remove.run(first, end, before, projectId ?? null).changes;
      await turn();
    }
    return deleted;
  }

  /**
   * Deletes the events of a project, its deferred events and its remembered uuids. Does
   * not delete events from the store they were moved to.
   */
  deleteProject(projectId: string): void {
    this.#database
      .transaction(() => {
        for (const table of [
          'events',
          'seen',
          'people',
          'persons',
          'person_ids',
          'groups',
        ]) {
          this.#database
            .prepare(`DELETE FROM ${table} WHERE project_id = ?`)
            .run(projectId);
        }
        this.deferred.forget(projectId);
      })
      .immediate();
    this.people.forgetGroups();
    this.seen.measure();
  }

  /** Deletes everything about some of a project's ids, including their traces in the file. */
  erase(projectId: string, ids: readonly string[]): void {
    this.#database
      .transaction(() => {
        const erase = this.#database.prepare(
          'DELETE FROM events WHERE project_id = ? AND distinct_id = ?',
        );
        ids.forEach(id => erase.run(projectId, id));
        this.deferred.erase(projectId, ids);
        this.people.erase(projectId, ids);
        this.tables.erase(projectId, ids);
      })
      .immediate();
    // Earlier writes would stay in the log until it is reused.
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  /**
   * Copies the journal to a new file, including events that are appended while it runs.
   * @param options.isShared - true if the columns are not part of the same backup.
   */
  async backUp(
    filename: string,
    { isShared }: { isShared: boolean },
  ): Promise<void> {
    await this.#database.backup(filename);
    const copy = new Database(filename);
    try {
      copy.pragma('journal_mode = DELETE');
      // Engines must receive every person again: their copies may be older.
      copy.exec('DELETE FROM people_copied');
      // Other stores may know later positions of this journal than the copy.
      const skip = copy.prepare(
        'UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?',
      );
      skip.run(SKIPPED, 'people');
      if (isShared) {
        skip.run(SKIPPED, 'events');
      }
    } finally {
      copy.close();
    }
  }

  /**
   * Empties the write-ahead log, in which deleted data would remain until overwritten. Does
   * nothing while a query reads the log: incoming events would have to wait for that query.
   */
  cleanLog(): void {
    this.#database.pragma('busy_timeout = 0');
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.pragma(`busy_timeout = ${BUSY_MS}`);
  }

  close(): void {
    this.#database.close();
    this.#unlock();
  }
}

/** Adds the maps of pending events, which journals of earlier versions lack. */
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

/** Reads the journal's id, which is created at its first start. */
function identify(database: Database.Database): string {
  const select = database.prepare('SELECT id FROM identity');
  const known = select.get() as { id: string } | undefined;
  const id = known?.id ?? randomUUID();
  if (!known) {
    database.prepare('INSERT INTO identity (id) VALUES (?)').run(id);
  }
  return id;
}
