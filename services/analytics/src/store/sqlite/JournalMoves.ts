import type Database from 'better-sqlite3';

/** Places of the journal, both included. */
export interface JournalRange {
  readonly first: number;
  readonly last: number;
}

/** How much is moved in one step; one event at least. */
export interface MoveSize {
  readonly events: number;
  /** Of their properties: what a step takes of memory. */
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
      | JournalRange
      | undefined;
  }

  /**
   * Notes that the oldest events are about to be moved.
   *
   * @returns undefined when there are none up to `upTo`.
   */
  begin(upTo: number, most: MoveSize): JournalRange | undefined {
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

  /** Forgets events that the column store has. */
  end({ first, last }: JournalRange): void {
    this.#database
      .transaction(() => {
        this.#database
          .prepare('DELETE FROM events WHERE seq BETWEEN ? AND ?')
          .run(first, last);
        this.#database.prepare('DELETE FROM moves').run();
      })
      .immediate();
  }

  /** Whether a column store was ever given events: only it can then answer. */
  everBegun(): boolean {
    return (
      this.#database
        .prepare("SELECT 1 FROM facts WHERE name = 'moved'")
        .get() !== undefined
    );
  }

  #oldest(upTo: number, most: MoveSize): JournalRange | undefined {
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
    return { first: taken[0].seq, last: taken[taken.length - 1].seq };
  }
}
