import { chunksOf, contains, type Database } from '@slipway/service-kit';
import type { ChangesOfEvent } from '../PersonChange.ts';
import { applyChanges } from './applyChanges.ts';
import {
  CHUNK,
  type GroupRow,
  type IdRow,
  type PersonRow,
  rowsAfter,
} from './personRows.ts';

/** A person with all its ids. */
export interface Person {
  /** The id that represents all ids of the person. */
  readonly id: string;
  readonly distinctIds: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly isIdentified: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

/** Rows written since a version, for copies. */
export interface PeopleRows {
  readonly persons: readonly PersonRow[];
  readonly ids: readonly IdRow[];
  readonly groups: readonly GroupRow[];
}

/** Keeps persons and groups in the service's database. */
export class PersonStore {
  readonly #database: Database;
  /** Group types by project; types of a project are only ever added. */
  readonly #groupTypes = new Map<string, readonly string[]>();

  /**
   * Whether any person has several ids, by project. It stays true after ids are removed, as
   * copies may still contain them.
   */
  readonly #sharedIds = new Map<
    string,
    { version: number; isShared: boolean }
  >();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Applies the changes of a journal in order, unless they have been applied before.
   * @param to.seq - position of the last change.
   */
  async apply(
    to: { journal: string; seq: number },
    changes: readonly (ChangesOfEvent & { seq: number })[],
  ): Promise<void> {
    await this.#database.transaction(async trx => {
      const { journal, seq } = to;
      // Other writers wait here, so that versions become visible in order.
      await trx('people_version').where({ id: 1 }).increment('version', 1);
      const { version } = await trx('people_version').where({ id: 1 }).first();
      const progress = await trx('people_progress').where({ journal }).first();
      const done = Number(progress?.seq ?? 0);
      await applyChanges(trx, {
        changes: changes.filter(change => change.seq > done),
        version: Number(version),
      });
      await trx('people_progress')
        .insert({ journal, seq })
        .onConflict('journal')
        .merge();
    });
    changes
      .filter(each => each.changes.some(({ kind }) => kind === 'group'))
      .forEach(({ projectId }) => this.#groupTypes.delete(projectId));
  }

  /** Returns the version of the last change. */
  async version(): Promise<number> {
    const row = await this.#database.knex('people_version').first();
    return Number(row?.version ?? 0);
  }

  /**
   * Checks whether any person of a project has several ids.
   * @param version - of the last change.
   */
  async hasSharedIds(projectId: string, version: number): Promise<boolean> {
    const known = this.#sharedIds.get(projectId);
    if (known?.version === version || known?.isShared) {
      return known.isShared;
    }
    const row: unknown = await this.#database
      .knex('person_ids')
      .where({ project_id: projectId })
      .first('distinct_id');
    const isShared = row !== undefined;
    this.#sharedIds.set(projectId, { version, isShared });
    return isShared;
  }

  /** Reads the rows written after a version, in batches. */
  async *changedAfter(
    version: number,
    upTo: number,
  ): AsyncGenerator<PeopleRows> {
    const { knex } = this.#database;
    const range = { after: version, upTo };
    for await (const ids of rowsAfter<IdRow>(knex, 'person_ids', range)) {
      yield { persons: [], ids, groups: [] };
    }
    for await (const persons of rowsAfter<PersonRow>(knex, 'persons', range)) {
      yield { persons, ids: [], groups: [] };
    }
    for await (const groups of rowsAfter<GroupRow>(
      knex,
      'person_groups',
      range,
    )) {
      yield { persons: [], ids: [], groups };
    }
  }

  /** Returns a project's group types, by their numbers. */
  async groupTypes(projectId: string): Promise<readonly string[]> {
    const known = this.#groupTypes.get(projectId);
    // Other replicas that share a database may have added types.
    if (known && this.#database.client === 'sqlite') {
      return known;
    }
    const rows: { name: string }[] = await this.#database
      .knex('group_types')
      .where({ project_id: projectId })
      .orderBy('position');
    const types = rows.map(({ name }) => name);
    this.#groupTypes.set(projectId, types);
    return types;
  }

  /**
   * Lists persons, last seen first.
   * @param options.search - part of an id or of a property's value.
   */
  async list(
    projectId: string,
    options: { search?: string; limit: number; offset: number },
  ): Promise<Person[]> {
    const { search, limit, offset } = options;
    const rows: PersonRow[] = await this.#database
      .knex('persons')
      .where({ project_id: projectId })
      .where(query => {
        if (search !== undefined) {
          void query
            .whereRaw(...contains('person', search))
            .orWhereRaw(...contains('properties', search))
            .orWhereIn(
              'person',
              this.#database
                .knex('person_ids')
                .select('person')
                .where({ project_id: projectId })
                .whereRaw(...contains('distinct_id', search)),
            );
        }
      })
      .orderBy([
        { column: 'last_seen_at', order: 'desc' },
        { column: 'person' },
      ])
      .limit(limit)
      .offset(offset);
    const ids = await this.#idsOf(
      projectId,
      rows.map(({ person }) => person),
    );
    return rows.map(row => toPerson(row, ids.get(row.person) ?? []));
  }

  /** Finds the person that an id belongs to. */
  async find(
    projectId: string,
    distinctId: string,
  ): Promise<Person | undefined> {
    const { knex } = this.#database;
    const pointer: IdRow | undefined = await knex('person_ids')
      .where({ project_id: projectId, distinct_id: distinctId })
      .first();
    const person = pointer?.person ?? distinctId;
    const row: PersonRow | undefined = await knex('persons')
      .where({ project_id: projectId, person })
      .first();
    const ids = await this.#idsOf(projectId, [person]);
    return row && toPerson(row, ids.get(person) ?? []);
  }

  /** Finds the profiles of some persons, by the ids that represent them. */
  async findAll(
    projectId: string,
    persons: readonly string[],
  ): Promise<Map<string, Person>> {
    const rows: PersonRow[] = await this.#database
      .knex('persons')
      .where({ project_id: projectId })
      .whereIn('person', [...persons]);
    const ids = await this.#idsOf(projectId, persons);
    return new Map(
      rows.map(row => [row.person, toPerson(row, ids.get(row.person) ?? [])]),
    );
  }

  /** Selects the persons with a text in an id other than the one that represents them. */
  withOtherId(projectId: string, text: string, limit: number) {
    return this.#database
      .knex('person_ids')
      .where({ project_id: projectId })
      .whereRaw(...contains('distinct_id', text))
      .distinct()
      .limit(limit)
      .pluck<string[]>('person');
  }

  /**
   * Deletes a person, including from lists of people. If one of the ids is used again, it
   * belongs to a new person.
   */
  async remove(projectId: string, ids: readonly string[]): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const [table, column] of [
        ['persons', 'person'],
        ['person_ids', 'person'],
        ['person_ids', 'distinct_id'],
        ['cohort_ids', 'distinct_id'],
      ]) {
        for (const some of chunksOf(ids, CHUNK)) {
          await trx(table)
            .where({ project_id: projectId })
            .whereIn(column, some)
            .delete();
        }
      }
    });
  }

  /** Deletes the persons and groups of a project. */
  async removeProject(projectId: string): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const table of [
        'persons',
        'person_ids',
        'person_groups',
        'group_types',
      ]) {
        await trx(table).where({ project_id: projectId }).delete();
      }
    });
    this.#groupTypes.delete(projectId);
  }

  /** Deletes a group; an event of it creates it again. */
  async removeGroup(
    projectId: string,
    group: { type: string; key: string },
  ): Promise<void> {
    await this.#database.transaction(trx =>
      trx('person_groups')
        .where({ project_id: projectId, type: group.type, key: group.key })
        .delete(),
    );
  }

  async #idsOf(
    projectId: string,
    persons: readonly string[],
  ): Promise<Map<string, string[]>> {
    const rows: IdRow[] = await this.#database
      .knex('person_ids')
      .where({ project_id: projectId })
      .whereIn('person', [...persons])
      .orderBy('distinct_id');
    const ids = new Map<string, string[]>();
    for (const { person, distinct_id: id } of rows) {
      ids.set(person, [...(ids.get(person) ?? []), id]);
    }
    return ids;
  }
}

function toPerson(row: PersonRow, others: readonly string[]): Person {
  return {
    id: row.person,
    distinctIds: [row.person, ...others.filter(id => id !== row.person)],
    properties: JSON.parse(row.properties),
    isIdentified: Boolean(row.is_identified),
    createdAt: Number(row.created_at),
    lastSeenAt: Number(row.last_seen_at),
  };
}
