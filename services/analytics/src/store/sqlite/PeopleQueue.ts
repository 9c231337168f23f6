import type Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import {
  type ChangesOfEvent,
  changesOf,
  groupsOf,
  groupsText,
  isPersonId,
  type PersonChange,
} from '../../people/PersonChange.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS people (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  distinct_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  changes TEXT NOT NULL
);
`;

/** Number of recently seen ids and lists of groups, which are not recorded again. */
const REMEMBERED = 50_000;
/**
 * Time in milliseconds for which a seen id is not recorded again, which limits the accuracy
 * of when it was last seen.
 */
const SEEN_AGAIN_MS = 3_600_000;

/** A change with its position. */
export interface QueuedChange extends ChangesOfEvent {
  readonly seq: number;
}

/**
 * A queue of changes of persons that are not applied yet. They are written in the commit of
 * their event, so that a crash loses none.
 */
export class PeopleQueue {
  readonly #database: Database.Database;
  readonly #insert: Database.Statement;
  readonly #seen = new Map<string, number>();
  readonly #seenGroups = new Set<string>();

  /** @param database - of the journal. */
  constructor(database: Database.Database) {
    this.#database = database;
    database.exec(SCHEMA);
    this.#insert = database.prepare(
      'INSERT INTO people (project_id, distinct_id, at, changes) VALUES (?, ?, ?, ?)',
    );
  }

  /** Records changes of persons that do not come from events. */
  import(changes: readonly ChangesOfEvent[]): void {
    this.#database
      .transaction(() =>
        changes.forEach(({ projectId, distinctId, at, changes: of }) =>
          this.#insert.run(projectId, distinctId, at, JSON.stringify(of)),
        ),
      )
      .immediate();
  }

  /** Records the changes of an event, within the transaction that writes it. */
  add(event: AnalyticsEvent): void {
    const { projectId, distinctId } = event;
    const groups = this.#newGroups(event);
    if (groups.length > 0) {
      this.#put(event, groups);
    }
    if (!isPersonId(distinctId)) {
      return;
    }
    const changes = changesOf(event);
    if (changes.every(({ kind }) => kind === 'seen')) {
      if (changes.length === 0 || this.#isSeen(projectId, event)) {
        return;
      }
    }
    this.#put(event, changes);
  }

  #put(
    { projectId, distinctId, timestamp }: AnalyticsEvent,
    changes: readonly PersonChange[],
  ): void {
    this.#insert.run(projectId, distinctId, timestamp, JSON.stringify(changes));
  }

  /** Returns the groups of an event, unless they have been recorded recently. */
  #newGroups(event: AnalyticsEvent): readonly PersonChange[] {
    const text = groupsText(event);
    if (text === undefined) {
      return [];
    }
    const key = `${event.projectId}\n${text}`;
    if (this.#seenGroups.has(key)) {
      return [];
    }
    const { $groups: groups }: Record<string, unknown> = JSON.parse(
      event.properties,
    );
    // The text is truncated if a key contains a bracket.
    if (JSON.stringify(groups) === text) {
      if (this.#seenGroups.size >= REMEMBERED) {
        this.#seenGroups.clear();
      }
      this.#seenGroups.add(key);
    }
    return groupsOf(groups);
  }

  /** Forgets which groups were seen, so that they are recorded again after one was deleted. */
  forgetGroups(): void {
    this.#seenGroups.clear();
  }

  /** Forgets which ids and groups were seen; call it after a failed commit. */
  forgetRecent(): void {
    this.#seen.clear();
    this.forgetGroups();
  }

  /** Returns the oldest changes. */
  oldest(count: number): QueuedChange[] {
    const rows = this.#database
      .prepare('SELECT * FROM people ORDER BY seq LIMIT ?')
      .all(count) as {
      seq: number;
      project_id: string;
      distinct_id: string;
      at: number;
      changes: string;
    }[];
    return rows.map(row => ({
      seq: row.seq,
      projectId: row.project_id,
      distinctId: row.distinct_id,
      at: row.at,
      changes: JSON.parse(row.changes),
    }));
  }

  /** Deletes changes up to a position, after they were applied. */
  forget(upTo: number): void {
    this.#database.prepare('DELETE FROM people WHERE seq <= ?').run(upTo);
  }

  /** Deletes the changes of ids and their merges, and forgets that the ids were seen. */
  erase(projectId: string, ids: readonly string[]): void {
    this.#database
      .prepare(
        `WITH erased AS (SELECT value AS id FROM json_each(@ids))
        DELETE FROM people WHERE project_id = @projectId AND (
          distinct_id IN (SELECT id FROM erased) OR EXISTS (
            SELECT 1 FROM json_each(changes) AS change
            WHERE change.value ->> '$.from' IN (SELECT id FROM erased)
          )
        )`,
      )
      .run({ projectId, ids: JSON.stringify(ids) });
    ids.forEach(id => this.#seen.delete(`${projectId}\n${id}`));
  }

  #isSeen(
    projectId: string,
    { distinctId, timestamp }: AnalyticsEvent,
  ): boolean {
    const key = `${projectId}\n${distinctId}`;
    const last = this.#seen.get(key);
    if (last !== undefined && timestamp < last + SEEN_AGAIN_MS) {
      return true;
    }
    this.#seen.delete(key);
    this.#seen.set(key, timestamp);
    if (this.#seen.size > REMEMBERED) {
      const [oldest] = this.#seen.keys();
      this.#seen.delete(oldest);
    }
    return false;
  }
}
