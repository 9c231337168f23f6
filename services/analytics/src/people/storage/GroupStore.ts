import { contains, type Database } from '@slipway/service-kit';
import type { GroupRow } from './personRows.ts';

/** A type of groups, such as companies. */
export interface GroupType {
  readonly name: string;
  /** Its number in queries, as in `group_0`. */
  readonly index: number;
  readonly groups: number;
}

/** A group of persons, such as a company. */
export interface Group {
  readonly type: string;
  readonly key: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/** Reads and deletes groups in the service's database. */
export class GroupStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the types of a project's groups by their numbers. */
  async types(projectId: string): Promise<GroupType[]> {
    const { knex } = this.#database;
    const rows: { name: string; position: number; groups: number | string }[] =
      await knex('group_types as t')
        .where({ 't.project_id': projectId })
        .select('t.name', 't.position', {
          groups: knex('person_groups as g')
            .where({ 'g.project_id': projectId })
            .whereRaw('?? = ??', ['g.type', 't.name'])
            .count(),
        })
        .orderBy('t.position');
    return rows.map(({ name, position, groups }) => ({
      name,
      index: position,
      groups: Number(groups),
    }));
  }

  /**
   * Lists the groups of a type, newest first.
   * @param options.search - part of a key or of a property's value.
   */
  async list(
    projectId: string,
    options: { type: string; search?: string; limit: number; offset: number },
  ): Promise<Group[]> {
    const { type, search, limit, offset } = options;
    const rows: GroupRow[] = await this.#database
      .knex('person_groups')
      .where({ project_id: projectId, type })
      .where(query => {
        if (search !== undefined) {
          void query
            .whereRaw(...contains('key', search))
            .orWhereRaw(...contains('properties', search));
        }
      })
      .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'key' }])
      .limit(limit)
      .offset(offset);
    return rows.map(toGroup);
  }

  async find(
    projectId: string,
    group: { type: string; key: string },
  ): Promise<Group | undefined> {
    const row: GroupRow | undefined = await this.#database
      .knex('person_groups')
      .where({ project_id: projectId, type: group.type, key: group.key })
      .first();
    return row && toGroup(row);
  }
}

function toGroup(row: GroupRow): Group {
  return {
    type: row.type,
    key: row.key,
    properties: JSON.parse(row.properties),
    createdAt: Number(row.created_at),
  };
}
