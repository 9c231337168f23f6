import type Database from 'better-sqlite3';

/** Provides how far events have arrived in the journal. */
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
}
