import { setImmediate as turn } from 'node:timers/promises';
import type Database from 'better-sqlite3';

const DAY_MS = 24 * 3_600_000;
const FORGET_AT_ONCE = 2_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS seen (
  project_id TEXT NOT NULL,
  uuid BLOB NOT NULL,
  day INTEGER NOT NULL,
  PRIMARY KEY (project_id, uuid)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seen_by_day ON seen (day);
`;

/** The age and number up to which uuids are remembered. */
export interface SeenLimits {
  /** Milliseconds since the Unix epoch. */
  readonly before: number;
  readonly most: number;
}

/** Remembers uuids, to recognise events that are sent again. */
export class SeenUuids {
  readonly #database: Database.Database;
  readonly #insert: Database.Statement;
  readonly #days = new Map<number, number>();

  /** @param database - of the journal. */
  constructor(database: Database.Database) {
    this.#database = database;
    database.exec(SCHEMA);
    this.#insert = database.prepare(
      "INSERT INTO seen (project_id, uuid, day) VALUES (?, unhex(?, '-'), ?) ON CONFLICT DO NOTHING",
    );
    this.measure();
  }

  /** Remembers a uuid, within a transaction; returns false if it is already known. */
  add(event: {
    projectId: string;
    uuid: string;
    createdAt: number;
    receivedAt?: number;
  }): boolean {
    const day = Math.floor((event.receivedAt ?? event.createdAt) / DAY_MS);
    const { changes } = this.#insert.run(event.projectId, event.uuid, day);
    if (changes === 0) {
      return false;
    }
    this.#days.set(day, (this.#days.get(day) ?? 0) + 1);
    return true;
  }

  /** Counts the uuids. */
  measure(): void {
    const rows = this.#database
      .prepare('SELECT day, count(*) AS count FROM seen GROUP BY day')
      .all() as { day: number; count: number }[];
    this.#days.clear();
    rows.forEach(({ day, count }) => this.#days.set(day, count));
  }

  /**
   * Forgets uuids that are too old, and the oldest ones beyond a maximum, in small steps so
   * that events can arrive in between.
   * @param signal - stops after the current step.
   */
  async forget(
    { before, most }: SeenLimits,
    signal: AbortSignal,
  ): Promise<void> {
    const forget = this.#database.prepare(
      'DELETE FROM seen WHERE (project_id, uuid) IN (SELECT project_id, uuid FROM seen WHERE day = ? LIMIT ?)',
    );
    const firstDay = Math.floor(before / DAY_MS);
    while (!signal.aborted) {
      const all = [...this.#days.values()].reduce((sum, each) => sum + each, 0);
      const oldest = [...this.#days.keys()].reduce(
        (least, day) => Math.min(least, day),
        Infinity,
      );
      const surplus = oldest < firstDay ? Infinity : all - most;
      if (oldest === Infinity || surplus <= 0) {
        return;
      }
      const { changes } = forget.run(oldest, Math.min(surplus, FORGET_AT_ONCE));
      const left = changes === 0 ? 0 : this.#days.get(oldest)! - changes;
      if (left > 0) {
        this.#days.set(oldest, left);
      } else {
        this.#days.delete(oldest);
      }
      await turn();
    }
  }
}
