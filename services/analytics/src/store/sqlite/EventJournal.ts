import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { DeferredEvents } from './DeferredEvents.ts';
import { mapsOf } from '../propertyMaps.ts';
import { type JournalRange, type JournalRow, valuesOf } from './eventRows.ts';
import { JournalArrivals } from './JournalArrivals.ts';
import { JournalMoves } from './JournalMoves.ts';
import { PeopleQueue } from './PeopleQueue.ts';
import { PeopleTables } from './PeopleTables.ts';
import { BUSY_MS, createTables, openJournalFile } from './journalFile.ts';

/** Events read per step of a deletion, to limit how long it blocks incoming events. */
const DELETE_AT_ONCE = 5_000;

/** The gap before the first position that a restored journal assigns. */
const SKIPPED = 10_000_000_000;

const DAY_MS = 24 * 3_600_000;
/** Number of uuids that one step deletes, so that events can be stored in between. */
const FORGET_AT_ONCE = 2_000;

/** The maximum age and number of remembered uuids. */
export interface SeenLimits {
  /** Older uuids are forgotten; in milliseconds since the Unix epoch. */
  readonly before: number;
  readonly most: number;
}

/**
 * Stores every event before it is acknowledged, in a SQLite file that is synced to disk at
 * each commit. Events stay in it until a column store has them, or permanently if there is
 * none. It also remembers the uuids of events that it no longer contains, to recognise events
 * that are sent again.
 */
export class EventJournal {
  readonly filename: string;
  /**
   * Identifies this journal in the stores that its rows were moved to; each file has a
   * different id.
   */
  readonly id: string;
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
  readonly #database: Database.Database;
  readonly #insertEvent: Database.Statement;
  readonly #insertSeen: Database.Statement;
  /** Number of remembered uuids. */
  #seen: number;
  /** Closes the file. */
  readonly close: () => void;

  /**
   * @param options.directory - absolute; created if missing.
   * @throws DirectoryInUseError if another journal has it open.
   */
  constructor(options: { directory: string }) {
    const { filename, database, close } = openJournalFile(options.directory);
    this.filename = filename;
    this.#database = database;
    this.close = close;
    // Create all tables in one commit: separate commits would each wait for the disk.
    database.exec('BEGIN');
    this.id = createTables(database);
    this.moves = new JournalMoves(database);
    this.arrivals = new JournalArrivals(database, {
      id: this.id,
      moves: this.moves,
    });
    this.people = new PeopleQueue(database);
    this.tables = new PeopleTables(database);
    this.deferred = new DeferredEvents(database, {
      keep: event => this.#add(event),
      commit: work => this.#commit(work),
    });
    database.exec('COMMIT');
    this.#insertEvent = database.prepare(
      'INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, properties, maps) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertSeen = database.prepare(
      "INSERT INTO seen (project_id, uuid, day) VALUES (?, unhex(?, '-'), ?) ON CONFLICT DO NOTHING",
    );
    this.#seen = this.#countSeen();
  }

  /**
   * Writes groups of events in one commit; no group is split.
   * @returns how many of each group were new.
   */
  append(groups: readonly (readonly AnalyticsEvent[])[]): number[] {
    return this.#commit(() =>
      groups.map(events => events.filter(each => this.#add(each)).length),
    );
  }

  /** Runs work that adds events in one transaction; resets what is cached about them if it fails. */
  #commit<T>(work: () => T): T {
    const seen = this.#seen;
    try {
      return this.#database.transaction(work).immediate();
    } catch (error) {
      this.#seen = seen;
      this.people.forgetRecent();
      throw error;
    }
  }

  /** Writes an event, within a transaction; returns false if its uuid is already known. */
  #add(event: AnalyticsEvent): boolean {
    const { projectId, uuid, createdAt, receivedAt = createdAt } = event;
    const day = Math.floor(receivedAt / DAY_MS);
    if (this.#insertSeen.run(projectId, uuid, day).changes === 0) {
      return false;
    }
    this.#seen += 1;
    this.#insertEvent.run(...valuesOf(event), mapsOf(event.properties) ?? null);
    this.people.add(event);
    return true;
  }

  #countSeen(): number {
    return this.#database
      .prepare('SELECT count(*) FROM seen')
      .pluck()
      .get() as number;
  }

  /**
   * Forgets uuids that are too old, and the oldest ones beyond the maximum number, in small steps.
   * @param signal - aborts after the current step.
   */
  async forgetSeen(
    { before, most }: SeenLimits,
    signal: AbortSignal,
  ): Promise<void> {
    const forget = this.#database.prepare(
      'DELETE FROM seen WHERE (project_id, uuid) IN (SELECT project_id, uuid FROM seen WHERE day < ? ORDER BY day LIMIT ?)',
    );
    const firstDay = Math.floor(before / DAY_MS);
    while (!signal.aborted) {
      let { changes } = forget.run(firstDay, FORGET_AT_ONCE);
      const surplus = this.#seen - changes - most;
      if (changes === 0 && surplus > 0) {
        const step = Math.min(surplus, FORGET_AT_ONCE);
        ({ changes } = forget.run(Number.MAX_SAFE_INTEGER, step));
      }
      if (changes === 0) {
        return;
      }
      this.#seen -= changes;
      await turn();
    }
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
    this.#seen = this.#countSeen();
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
}
