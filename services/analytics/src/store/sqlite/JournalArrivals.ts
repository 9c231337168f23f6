import type Database from 'better-sqlite3';
import type { JournalMoves } from './JournalMoves.ts';

/** Reports how far events have arrived in the journal. */
export class JournalArrivals {
  readonly id: string;
  readonly #database: Database.Database;
  readonly #moves: JournalMoves;

  /** @param database - of the journal, with its table of events. */
  constructor(
    database: Database.Database,
    { id, moves }: { id: string; moves: JournalMoves },
  ) {
    this.#database = database;
    this.id = id;
    this.#moves = moves;
  }

  /** Checks whether the journal has every event that queries of an engine read. */
  isCompleteFor(engine: string): boolean {
    return engine !== 'clickhouse' && !this.#moves.everBegun();
  }

  /** Returns the last assigned position, even if its event was moved or deleted. */
  last(): number {
    const row = this.#database
      .prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
      .get() as { seq: number } | undefined;
    return row?.seq ?? 0;
  }
}
