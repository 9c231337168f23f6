import { setImmediate as turn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { JournalRange } from './eventRows.ts';

/** Events deleted per step, to limit how long it blocks incoming events. */
const FORGET_AT_ONCE = 5_000;

const MOVED_TO = 'moved to ';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS moves (first INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS boundary (seq INTEGER NOT NULL);
`;

/** Maximum events searched for the oldest, to limit how long the search blocks incoming events. */
const LOOKED_AT = 50_000;

/**
 * Maximum events searched for one of a project. This takes 3 ms at most; an engine that opens the journal
 * takes longer.
 */
const SEARCHED = 10_000;

/** Maximum size of one step, which always contains at least one event. */
export interface MoveSize {
  readonly events: number;
  /** Total size of their properties in bytes, which determines the memory of a step. */
  readonly bytes: number;
}

/**
 * Tracks the moves of events from the journal to a column store. A range is recorded
 * before it is inserted there, and the boundary is advanced afterwards: so every event
 * is read from exactly one of the two, even after a crash in between.
 */
export class JournalMoves {
  readonly #database: Database.Database;
  readonly #findWaiting: Database.Statement;
  readonly #findBeyond: Database.Statement;
  /** The positions up to which no event of a project waits beyond the boundary. */
  readonly #without = new Map<string, number>();
  #boundary: number;

  /** @param database - of the journal, with its table of events. */
  constructor(database: Database.Database) {
    this.#database = database;
    database.exec(SCHEMA);
    const row = database.prepare('SELECT seq FROM boundary').get() as
      { seq: number } | undefined;
    this.#boundary = row?.seq ?? 0;
    const searched =
      'FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT';
    this.#findWaiting = database.prepare(
      `SELECT 1 FROM (SELECT project_id ${searched} ?) WHERE project_id = ? LIMIT 1`,
    );
    this.#findBeyond = database.prepare(`SELECT 1 ${searched} 1 OFFSET ?`);
  }

  /** Returns the last position up to which a column store has all events. */
  boundary(): number {
    return this.#boundary;
  }

  /** Returns the range of a move that was started but not finished. */
  unfinished(): JournalRange | undefined {
    return this.#database.prepare('SELECT first, last FROM moves').get() as
      JournalRange | undefined;
  }

  /** Counts the events beyond the boundary, up to `most`. */
  waiting(most = Number.MAX_SAFE_INTEGER): number {
    const row = this.#database
      .prepare(
        'SELECT count(*) AS count FROM (SELECT 1 FROM events WHERE seq > ? LIMIT ?)',
      )
      .get(this.#boundary, most) as { count: number };
    return row.count;
  }

  /**
   * Checks whether events of a project wait beyond the boundary, up to the last position of the journal;
   * assumes it if there are too many events to search them all.
   */
  hasWaiting(projectId: string, last: number): boolean {
    const from = Math.max(this.#boundary, this.#without.get(projectId) ?? 0);
    if (from >= last) {
      return false;
    }
    const found =
      this.#findWaiting.get(from, last, SEARCHED, projectId) ??
      this.#findBeyond.get(from, last, SEARCHED);
    if (found === undefined) {
      // Positions only increase, so no event of the project can appear in what has been searched.
      this.#without.set(projectId, last);
    }
    return found !== undefined;
  }

  /** Returns how many events wait beyond the boundary, and when the oldest of them arrived. */
  lag(): { events: number; oldestAt: number | undefined } {
    const row = this.#database
      .prepare(
        'SELECT created_at FROM events WHERE seq > ? ORDER BY seq LIMIT 1',
      )
      .get(this.#boundary) as { created_at: number } | undefined;
    return { events: row ? this.waiting() : 0, oldestAt: row?.created_at };
  }

  /**
   * Returns when the oldest event beyond the boundary arrived, which may have been
   * deferred.
   * @param since - ignores earlier events, which were imported.
   * @returns Infinity if there is none; undefined if there are too many events to search
   *   them all.
   */
  oldestSince(since: number): number | undefined {
    const { events, oldest } = this.#database
      .prepare(
        'SELECT count(*) AS events, min(CASE WHEN created_at >= ? THEN created_at END) AS oldest FROM (SELECT created_at FROM events WHERE seq > ? LIMIT ?)',
      )
      .get(since, this.#boundary, LOOKED_AT) as {
      events: number;
      oldest: number | null;
    };
    return events === LOOKED_AT ? undefined : (oldest ?? Infinity);
  }

  /**
   * Records that the oldest events beyond the boundary are about to be moved.
   * @param to - the engine that receives them.
   * @returns their positions; undefined if there are none up to `upTo`.
   */
  begin(upTo: number, most: MoveSize, to: string): JournalRange | undefined {
    const range = this.#oldest(upTo, most);
    if (range) {
      this.#database
        .transaction(() => {
          this.#database
            .prepare('INSERT INTO moves (first, last) VALUES (?, ?)')
            .run(range.first, range.last);
          const note = this.#database.prepare(
            'INSERT INTO facts (name) VALUES (?) ON CONFLICT DO NOTHING',
          );
          note.run('moved');
          note.run(MOVED_TO + to);
        })
        .immediate();
    }
    return range;
  }

  /** Advances the boundary past a range that the column store has. */
  end({ last }: JournalRange): void {
    this.#database
      .transaction(() => {
        this.#database.prepare('DELETE FROM moves').run();
        this.#database.prepare('DELETE FROM boundary').run();
        this.#database
          .prepare('INSERT INTO boundary (seq) VALUES (?)')
          .run(last);
      })
      .immediate();
    this.#boundary = last;
  }

  /** Deletes events up to a position in batches, so that other events can arrive in between. */
  async forget(upTo: number): Promise<void> {
    // Deleting a range is faster than deleting a list of positions.
    const next = this.#database.prepare(
      'SELECT seq FROM events WHERE seq <= ? ORDER BY seq LIMIT 1 OFFSET ?',
    );
    const forget = this.#database.prepare('DELETE FROM events WHERE seq <= ?');
    for (;;) {
      const end = next.get(upTo, FORGET_AT_ONCE - 1) as
        { seq: number } | undefined;
      forget.run(end?.seq ?? upTo);
      if (!end) {
        return;
      }
      await turn();
    }
  }

  /** Returns the engine that events were moved to; undefined if none were. */
  movedTo(): string | undefined {
    const row = this.#database
      .prepare('SELECT name FROM facts WHERE name LIKE ?')
      .get(`${MOVED_TO}%`) as { name: string } | undefined;
    // Journals of earlier versions only recorded that events were moved.
    return (
      row?.name.slice(MOVED_TO.length) ??
      (this.everBegun() ? 'chdb' : undefined)
    );
  }

  /** Checks whether events were ever moved to a column store, which then has to run the queries. */
  everBegun(): boolean {
    return (
      this.#database
        .prepare("SELECT 1 FROM facts WHERE name = 'moved'")
        .get() !== undefined
    );
  }

  #oldest(upTo: number, most: MoveSize): JournalRange | undefined {
    // SQLite stores lengths in the row header, so this does not read the text.
    const measure = this.#database.prepare(
      'SELECT min(seq) AS first, max(seq) AS last, sum(bytes) AS bytes FROM (SELECT seq, octet_length(properties) AS bytes FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?)',
    );
    for (let { events } = most; ; events = Math.ceil(events / 2)) {
      const { first, last, bytes } = measure.get(
        this.#boundary,
        upTo,
        events,
      ) as { first: number | null; last: number | null; bytes: number };
      if (first === null || last === null) {
        return undefined;
      }
      if (bytes <= most.bytes || events === 1) {
        return { first, last };
      }
    }
  }
}
