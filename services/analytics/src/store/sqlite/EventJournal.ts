import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { JournalMoves, type JournalRange } from './JournalMoves.ts';
import { JournalRetention } from './JournalRetention.ts';

const DAY_MS = 24 * 3_600_000;
const FORGET_AT_ONCE = 2_000;

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

interface EventRow {
  seq: number;
  project_id: string;
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: number;
  created_at: number;
  properties: string;
}

/**
 * Where every event is put before it is acknowledged: a SQLite file that is synchronised
 * with the disk at each commit. Events stay in it until a column store has them, and for
 * good where there is none. It also remembers which uuids there were.
 */
export class EventJournal {
  readonly filename: string;
  /** Of events into a column store. */
  readonly moves: JournalMoves;
  readonly retention: JournalRetention;
  readonly #database: Database.Database;
  readonly #insertEvent: Database.Statement;
  readonly #insertSeen: Database.Statement;

  /** @param options.directory - absolute; made where it is missing. */
  constructor(options: { directory: string }) {
    mkdirSync(options.directory, { recursive: true });
    this.filename = path.join(options.directory, 'events.sqlite');
    this.#database = new Database(this.filename);
    this.#database.pragma('journal_mode = WAL');
    // In WAL mode NORMAL would lose the last commits in a power cut.
    this.#database.pragma('synchronous = FULL');
    this.#database.pragma('busy_timeout = 5000');
    this.#database.exec(SCHEMA);
    this.moves = new JournalMoves(this.#database);
    this.retention = new JournalRetention(this.#database);
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
    this.#insertEvent.run(
      projectId,
      uuid,
      event.event,
      event.distinctId,
      event.timestamp,
      createdAt,
      event.properties,
    );
    return true;
  }

  /** The events in a range, oldest first. */
  read({ first, last }: JournalRange): AnalyticsEvent[] {
    const rows = this.#database
      .prepare('SELECT * FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq')
      .all(first, last) as EventRow[];
    return rows.map(row => ({
      projectId: row.project_id,
      uuid: row.uuid,
      event: row.event,
      distinctId: row.distinct_id,
      timestamp: row.timestamp,
      createdAt: row.created_at,
      properties: row.properties,
    }));
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
   * Forgets some of the uuids that came before a day, a bounded number at once.
   *
   * @returns whether there are more.
   */
  forgetSeen(before: number): boolean {
    const { changes } = this.#database
      .prepare(
        'DELETE FROM seen WHERE (project_id, uuid) IN (SELECT project_id, uuid FROM seen WHERE day < ? LIMIT ?)',
      )
      .run(Math.floor(before / DAY_MS), FORGET_AT_ONCE);
    return changes === FORGET_AT_ONCE;
  }

  close(): void {
    this.#database.close();
  }
}
