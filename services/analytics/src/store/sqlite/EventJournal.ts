import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { DeferredEvents } from './DeferredEvents.ts';
import { type JournalRange, readRange, valuesOf } from './eventRows.ts';
import { lockDirectory } from './lockDirectory.ts';

const DAY_MS = 24 * 3_600_000;
const FORGET_AT_ONCE = 2_000;
/** The events looked at in one step of a deletion: bounds how long it holds up what arrives. */
const DELETE_AT_ONCE = 5_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  uuid TEXT NOT NULL,
  event TEXT NOT NULL,
  distinct_id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  properties TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS seen (
  project_id TEXT NOT NULL,
  uuid BLOB NOT NULL,
  day INTEGER NOT NULL,
  PRIMARY KEY (project_id, uuid)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seen_by_day ON seen (day);
CREATE TABLE IF NOT EXISTS moves (first INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY);
`;

/** How much is moved in one step; one event at least. */
export interface MoveSize {
  readonly events: number;
  /** Bytes of their properties, which is what a step takes of memory. */
  readonly bytes: number;
}

/**
 * What is under way out of the journal. It is noted before and after each step, so that
 * after a crash exactly that range is looked for in the column store.
 */
export class JournalMoves {
  readonly #database: Database.Database;

  /** @param database - of the journal, with its tables. */
  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** A range whose move was begun and not ended. */
  unfinished(): JournalRange | undefined {
    return this.#database.prepare('SELECT first, last FROM moves').get() as
      JournalRange | undefined;
  }

  /**
   * Notes that the oldest events are about to be moved.
   *
   * @returns their places and how many they are; undefined when there are none up to `upTo`.
   */
  begin(
    upTo: number,
    most: MoveSize,
  ): (JournalRange & { count: number }) | undefined {
    const range = this.#oldest(upTo, most);
    if (range) {
      this.#database
        .transaction(() => {
          this.#database
            .prepare('INSERT INTO moves (first, last) VALUES (?, ?)')
            .run(range.first, range.last);
          this.#database
            .prepare(
              "INSERT INTO facts (name) VALUES ('moved') ON CONFLICT DO NOTHING",
            )
            .run();
        })
        .immediate();
    }
    return range;
  }

  /** Forgets events that the column store has, some at once: others arrive in between. */
  async end({ first, last }: JournalRange): Promise<void> {
    const forget = this.#database.prepare(
      'DELETE FROM events WHERE seq BETWEEN ? AND ?',
    );
    for (let start = first; start <= last; start += DELETE_AT_ONCE) {
      forget.run(start, Math.min(last, start + DELETE_AT_ONCE - 1));
      await turn();
    }
    this.#database.prepare('DELETE FROM moves').run();
  }

  /** Tells whether a column store was ever given events: only it can then answer. */
  everBegun(): boolean {
    return (
      this.#database
        .prepare("SELECT 1 FROM facts WHERE name = 'moved'")
        .get() !== undefined
    );
  }

  #oldest(
    upTo: number,
    most: MoveSize,
  ): (JournalRange & { count: number }) | undefined {
    // Lengths stand in the head of a row: its text is not read for them.
    const rows = this.#database
      .prepare(
        'SELECT seq, octet_length(properties) AS bytes FROM events WHERE seq <= ? ORDER BY seq LIMIT ?',
      )
      .all(upTo, most.events) as { seq: number; bytes: number }[];
    if (rows.length === 0) {
      return undefined;
    }
    let bytes = 0;
    const tooMuch = rows.findIndex((row, index) => {
      bytes += row.bytes;
      return index > 0 && bytes > most.bytes;
    });
    const taken = tooMuch === -1 ? rows : rows.slice(0, tooMuch);
    return {
      first: taken[0].seq,
      last: taken[taken.length - 1].seq,
      count: taken.length,
    };
  }
}

/**
 * Keeps every event before it is acknowledged: a SQLite file that is synchronised
 * with the disk at each commit. Events stay in it until a column store has them, and for
 * good where there is none. It also remembers which uuids there were.
 */
export class EventJournal {
  readonly filename: string;
  /** The moves of events into a column store. */
  readonly moves: JournalMoves;
  /** Events that wait for a minute in which their project may send them. */
  readonly deferred: DeferredEvents;
  readonly #unlock: () => void;
  readonly #database: Database.Database;
  readonly #insertEvent: Database.Statement;
  readonly #insertSeen: Database.Statement;

  /**
   * @param options.directory - absolute; made where it is missing.
   * @throws DirectoryInUseError where another journal has it open.
   */
  constructor(options: { directory: string }) {
    mkdirSync(options.directory, { recursive: true });
    this.#unlock = lockDirectory(options.directory);
    this.filename = path.join(options.directory, 'events.sqlite');
    this.#database = new Database(this.filename);
    this.#database.pragma('journal_mode = WAL');
    // In WAL mode NORMAL would lose the last commits in a power cut.
    this.#database.pragma('synchronous = FULL');
    this.#database.pragma('busy_timeout = 5000');
    this.#database.exec(SCHEMA);
    this.moves = new JournalMoves(this.#database);
    this.deferred = new DeferredEvents(this.#database, event =>
      this.#add(event),
    );
    this.#insertSeen = this.#database.prepare(
      'INSERT INTO seen (project_id, uuid, day) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#insertEvent = this.#database.prepare(
      'INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, properties) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  /**
   * Writes groups of events, each whole, in one commit.
   *
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
    const { projectId, uuid, createdAt } = event;
    const day = Math.floor(createdAt / DAY_MS);
    const id = Buffer.from(uuid.replaceAll('-', ''), 'hex');
    if (this.#insertSeen.run(projectId, id, day).changes === 0) {
      return false;
    }
    this.#insertEvent.run(...valuesOf(event));
    return true;
  }

  /** The events in a range, oldest first. */
  read(range: JournalRange): AnalyticsEvent[] {
    return readRange(this.#database, range);
  }

  /** The last place that is taken; 0 when nothing waits. */
  last(): number {
    const row = this.#database
      .prepare('SELECT max(seq) AS last FROM events')
      .get() as { last: number | null };
    return row.last ?? 0;
  }

  /** How many events it holds. */
  count(): number {
    const row = this.#database
      .prepare('SELECT count(*) AS count FROM events')
      .get() as { count: number };
    return row.count;
  }

  /** Makes queries over the journal itself quick, or appends where nobody queries it. */
  serveQueries(serves: boolean): void {
    this.#database.exec(
      serves
        ? 'CREATE INDEX IF NOT EXISTS events_by_time ON events (project_id, timestamp); CREATE INDEX IF NOT EXISTS events_by_name ON events (project_id, event, timestamp)'
        : 'DROP INDEX IF EXISTS events_by_time; DROP INDEX IF EXISTS events_by_name',
    );
  }

  /**
   * Forgets the uuids that came before a day, a bounded number at once: what arrives goes
   * on in between.
   *
   * @param signal - ends it after the step that is under way.
   */
  async forgetSeen(before: number, signal: AbortSignal): Promise<void> {
    const forget = this.#database.prepare(
      'DELETE FROM seen WHERE (project_id, uuid) IN (SELECT project_id, uuid FROM seen WHERE day < ? LIMIT ?)',
    );
    const day = Math.floor(before / DAY_MS);
    while (
      !signal.aborted &&
      forget.run(day, FORGET_AT_ONCE).changes === FORGET_AT_ONCE
    ) {
      await turn();
    }
  }

  /**
   * Deletes what happened before a moment, step by step, unless events were ever moved:
   * those that a move is about to take must not go meanwhile.
   *
   * @param signal - ends it after the step that is under way.
   * @returns how many are gone.
   */
  async deleteBefore(before: number, signal: AbortSignal): Promise<number> {
    const places = this.#database
      .prepare('SELECT min(seq) AS first, max(seq) AS last FROM events')
      .get() as { first: number | null; last: number | null };
    const remove = this.#database.prepare(
      "DELETE FROM events WHERE seq BETWEEN ? AND ? AND timestamp < ? AND NOT EXISTS (SELECT 1 FROM facts WHERE name = 'moved')",
    );
    const last = places.last ?? 0;
    let deleted = 0;
    for (
      let first = places.first ?? 1;
      first <= last && !signal.aborted;
      first += DELETE_AT_ONCE
    ) {
      deleted += remove.run(first, first + DELETE_AT_ONCE - 1, before).changes;
      await turn();
    }
    return deleted;
  }

  close(): void {
    this.#database.close();
    this.#unlock();
  }
}
