import type Database from 'better-sqlite3';

const DAY_MS = 86_400_000;

/** Positions after one, up to another one. */
interface Range {
  readonly after: number;
  readonly upTo: number;
}

/** Equal events of one day. */
interface EventCount {
  readonly projectId: string;
  readonly kind: 'event';
  readonly name: string;
  readonly day: number;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Counts events of the journal in the order of their arrival. */
export class JournalArrivals {
  readonly id: string;
  readonly #database: Database.Database;

  /** @param database - of the journal, with its table of events. */
  constructor(database: Database.Database, id: string) {
    this.#database = database;
    this.id = id;
  }

  /** Checks whether the journal has every event that queries of an engine read. */
  areAll(engine: string): boolean {
    const moved = this.#database
      .prepare("SELECT 1 FROM facts WHERE name = 'moved'")
      .get();
    return engine !== 'clickhouse' && moved === undefined;
  }

  /** Returns the last assigned position, also if its event was moved or deleted. */
  last(): number {
    const row = this.#database
      .prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
      .get() as { seq: number } | undefined;
    return row?.seq ?? 0;
  }

  /** Returns the position of the last of the next events; undefined if there are none. */
  end(after: number, count: number): number | undefined {
    const { last } = this.#database
      .prepare(
        'SELECT max(seq) AS last FROM (SELECT seq FROM events WHERE seq > ? ORDER BY seq LIMIT ?)',
      )
      .get(after, count) as { last: number | null };
    return last ?? undefined;
  }

  counts({ after, upTo }: Range): EventCount[] {
    const rows = this.#database
      .prepare(
        `SELECT project_id AS projectId, event AS name, timestamp / ${DAY_MS} AS day,
          count(*) AS count, min(timestamp) AS firstAt, max(timestamp) AS lastAt
        FROM events WHERE seq > ? AND seq <= ? GROUP BY 1, 2, 3`,
      )
      .all(after, upTo) as Omit<EventCount, 'kind'>[];
    return rows.map(row => ({ ...row, kind: 'event' }));
  }

  /** Returns every nth event of a range, so that there are about as many as wanted. */
  sample({ after, upTo }: Range, count: number) {
    const weight = Math.max(1, Math.ceil((upTo - after) / count));
    const rows = this.#database
      .prepare(
        `SELECT project_id AS projectId, timestamp, properties
        FROM events WHERE seq > ? AND seq <= ? AND seq % ? = 0`,
      )
      .all(after, upTo, weight) as {
      projectId: string;
      timestamp: number;
      properties: string;
    }[];
    return rows.map(row => ({ ...row, weight }));
  }
}
