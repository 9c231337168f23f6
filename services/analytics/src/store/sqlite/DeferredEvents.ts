import type Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { type EventRow, toEvent, valuesOf } from './eventRows.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS deferred (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  uuid TEXT NOT NULL,
  event TEXT NOT NULL,
  distinct_id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  properties TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS deferred_by_project ON deferred (project_id, seq);
`;

/** The amount of deferred events of a project. */
export interface DeferredSize {
  readonly events: number;
  /** Total length of their properties, in characters. */
  readonly characters: number;
}

/** The journal into which deferred events are moved. */
interface Target {
  /** Adds an event within a transaction; returns false for a repeated one. */
  readonly keep: (event: AnalyticsEvent) => boolean;
  /** Runs work that adds events in one transaction. */
  readonly commit: <T>(work: () => T) => T;
}

const NOTHING: DeferredSize = { events: 0, characters: 0 };

/**
 * Events on disk that queries do not see yet, because their project has exceeded its
 * limit per minute.
 */
export class DeferredEvents {
  readonly #database: Database.Database;
  readonly #target: Target;
  readonly #sizes = new Map<string, DeferredSize>();
  readonly #insert: Database.Statement;

  /** @param database - the journal's database. */
  constructor(database: Database.Database, target: Target) {
    this.#database = database;
    this.#target = target;
    database.exec(SCHEMA);
    this.#insert = database.prepare(
      'INSERT INTO deferred (project_id, uuid, event, distinct_id, timestamp, created_at, properties) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.measure();
  }

  /** Recounts the deferred events of every project. */
  measure(): void {
    const rows = this.#database
      .prepare(
        'SELECT project_id AS projectId, count(*) AS events, sum(length(properties)) AS characters FROM deferred GROUP BY project_id',
      )
      .all() as (DeferredSize & { projectId: string })[];
    this.#sizes.clear();
    for (const { projectId, ...size } of rows) {
      this.#sizes.set(projectId, size);
    }
  }

  /** Returns when a project's oldest deferred event arrived; undefined if it has none. */
  oldest(projectId: string): number | undefined {
    if (!this.#sizes.has(projectId)) {
      return undefined;
    }
    const row = this.#database
      .prepare(
        'SELECT min(created_at) AS oldest FROM deferred WHERE project_id = ?',
      )
      .get(projectId) as { oldest: number | null };
    return row.oldest ?? undefined;
  }

  /** Checks whether an id has deferred events. */
  has(projectId: string, distinctId: string): boolean {
    const row = this.#database
      .prepare(
        'SELECT 1 FROM deferred WHERE project_id = ? AND distinct_id = ? LIMIT 1',
      )
      .get(projectId, distinctId);
    return row !== undefined;
  }

  /** Deletes the deferred events of a project, within a transaction. */
  forget(projectId: string): void {
    this.#database
      .prepare('DELETE FROM deferred WHERE project_id = ?')
      .run(projectId);
    this.#sizes.delete(projectId);
  }

  /** Deletes the deferred events of some ids of a project. */
  erase(projectId: string, ids: readonly string[]): void {
    const erase = this.#database.prepare(
      'DELETE FROM deferred WHERE project_id = ? AND distinct_id = ?',
    );
    this.#database
      .transaction(() => ids.forEach(id => erase.run(projectId, id)))
      .immediate();
    this.measure();
  }

  /** Returns the ids of the projects with deferred events. */
  projects(): string[] {
    return [...this.#sizes.keys()];
  }

  sizeOf(projectId: string): DeferredSize {
    return this.#sizes.get(projectId) ?? NOTHING;
  }

  /** Writes groups of events in one commit; no group is split. */
  add(groups: readonly (readonly AnalyticsEvent[])[]): void {
    const events = groups.flat();
    this.#database
      .transaction(() =>
        events.forEach(event => this.#insert.run(...valuesOf(event))),
      )
      .immediate();
    events.forEach(event => this.#count(event, 1));
  }

  /**
   * Moves the oldest deferred events of a project into the journal, in one commit.
   * @param kept - returns the events that may still be stored.
   * @returns how many were moved, and how many of them were new.
   */
  admit(
    projectId: string,
    count: number,
    kept: (events: readonly AnalyticsEvent[]) => readonly AnalyticsEvent[],
  ): { admitted: number; added: number } {
    const rows = this.#database
      .prepare(
        'SELECT * FROM deferred WHERE project_id = ? ORDER BY seq LIMIT ?',
      )
      .all(projectId, count) as EventRow[];
    const events = rows.map(toEvent);
    const added = this.#target.commit(() => {
      this.#database
        .prepare('DELETE FROM deferred WHERE project_id = ? AND seq <= ?')
        .run(projectId, rows.at(-1)?.seq ?? 0);
      return kept(events).filter(this.#target.keep).length;
    });
    events.forEach(event => this.#count(event, -1));
    return { admitted: events.length, added };
  }

  #count({ projectId, properties }: AnalyticsEvent, sign: 1 | -1): void {
    const { events, characters } = this.sizeOf(projectId);
    const size = {
      events: events + sign,
      characters: characters + sign * properties.length,
    };
    if (size.events === 0) {
      this.#sizes.delete(projectId);
    } else {
      this.#sizes.set(projectId, size);
    }
  }
}
