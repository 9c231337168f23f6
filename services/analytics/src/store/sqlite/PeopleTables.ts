import type Database from 'better-sqlite3';
import type { PeopleRows } from '../../people/storage/PersonStore.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS persons (
  project_id TEXT NOT NULL, person TEXT NOT NULL, properties TEXT NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY (project_id, person)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS person_ids (
  project_id TEXT NOT NULL, distinct_id TEXT NOT NULL, person TEXT NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY (project_id, distinct_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS groups (
  project_id TEXT NOT NULL, type TEXT NOT NULL, key TEXT NOT NULL, properties TEXT NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY (project_id, type, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS people_copied (engine TEXT PRIMARY KEY, version INTEGER NOT NULL);
`;

/** Keeps a copy of persons and groups, for queries of the journal. */
export class PeopleTables {
  readonly #database: Database.Database;

  /** @param database - of the journal. */
  constructor(database: Database.Database) {
    this.#database = database;
    database.exec(SCHEMA);
  }

  async putPeople({ persons, ids, groups }: PeopleRows): Promise<void> {
    const put = (table: string, columns: readonly string[]) => {
      const statement = this.#database.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.join(
          ', ',
        )}) VALUES (${columns.map(column => `@${column}`).join(', ')})`,
      );
      return (row: object) => statement.run(row);
    };
    this.#database
      .transaction(() => {
        persons.forEach(
          put('persons', ['project_id', 'person', 'properties', 'version']),
        );
        ids.forEach(
          put('person_ids', ['project_id', 'distinct_id', 'person', 'version']),
        );
        groups.forEach(
          put('groups', ['project_id', 'type', 'key', 'properties', 'version']),
        );
      })
      .immediate();
  }

  /** Returns the version up to which an engine has its copy. */
  copied(engine: string): number {
    const row = this.#database
      .prepare('SELECT version FROM people_copied WHERE engine = ?')
      .get(engine) as { version: number } | undefined;
    return row?.version ?? 0;
  }

  setCopied(engine: string, version: number): void {
    this.#database
      .prepare(
        'INSERT OR REPLACE INTO people_copied (engine, version) VALUES (?, ?)',
      )
      .run(engine, version);
  }

  /** Deletes the properties of a group. */
  removeGroup(projectId: string, group: { type: string; key: string }): void {
    this.#database
      .prepare(
        'DELETE FROM groups WHERE project_id = ? AND type = ? AND key = ?',
      )
      .run(projectId, group.type, group.key);
  }

  erase(projectId: string, ids: readonly string[]): void {
    for (const [table, column] of [
      ['persons', 'person'],
      ['person_ids', 'person'],
      ['person_ids', 'distinct_id'],
    ]) {
      const erase = this.#database.prepare(
        `DELETE FROM ${table} WHERE project_id = ? AND ${column} = ?`,
      );
      ids.forEach(id => erase.run(projectId, id));
    }
  }
}
