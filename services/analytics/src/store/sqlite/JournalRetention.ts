import { setImmediate as turn } from 'node:timers/promises';
import type Database from 'better-sqlite3';

/** Events looked at in one step: bounds how long it holds up what arrives. */
const AT_ONCE = 5_000;

/** Deletes events of the journal that are too old to be kept. */
export class JournalRetention {
  readonly #database: Database.Database;

  /** @param database - of the journal, with its tables. */
  constructor(database: Database.Database) {
    this.#database = database;
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
      first += AT_ONCE
    ) {
      deleted += remove.run(first, first + AT_ONCE - 1, before).changes;
      await turn();
    }
    return deleted;
  }
}
