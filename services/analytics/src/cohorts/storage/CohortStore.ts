import { chunksOf, type Database } from '@slipway/service-kit';
import type { Cohort } from '../Cohort.ts';

interface Row {
  id: number;
  project_id: string;
  name: string;
  description: string;
  filters: string | null;
  version: number;
  created_at: number | string;
  created_by: string;
  updated_at: number | string;
  /** The number of ids in a fixed list, if they were counted. */
  listed?: number | string;
}

/** Maximum number of rows that one statement writes, or of ids that it searches for. */
const CHUNK = 200;

/** Stores cohorts in the service's database. */
export class CohortStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the cohorts of a project, by name. */
  async list(projectId: string): Promise<Cohort[]> {
    const rows: Row[] = await this.#rows()
      .where({ project_id: projectId })
      .orderBy(['name', 'id']);
    return rows.map(toCohort);
  }

  async find(projectId: string, id: number): Promise<Cohort | undefined> {
    const [row]: Row[] = await this.#rows().where({
      project_id: projectId,
      id,
    });
    return row && toCohort(row);
  }

  /**
   * Finds the cohorts of a project by their ids; ignores ids that do not exist. Does not count
   * the ids in fixed lists, because every query that refers to cohorts calls it.
   */
  async findAll(projectId: string, ids: readonly number[]): Promise<Cohort[]> {
    if (ids.length === 0) {
      return [];
    }
    const rows: Row[] = await this.#database
      .knex('cohorts')
      .where({ project_id: projectId })
      .whereIn('id', [...ids])
      .orderBy('id');
    return rows.map(toCohort);
  }

  /**
   * Finds the cohorts that a person may be in, by name: those with conditions, and fixed lists
   * with one of the person's ids. Does not count the ids in the lists.
   */
  async possible(
    projectId: string,
    distinctIds: readonly string[],
  ): Promise<Cohort[]> {
    const { knex } = this.#database;
    const lists = new Set<number>();
    for (const some of chunksOf(distinctIds, CHUNK)) {
      const ids = await knex('cohort_ids')
        .where({ project_id: projectId })
        .whereIn('distinct_id', [...some])
        .distinct()
        .pluck<number[]>('cohort_id');
      ids.forEach(id => lists.add(id));
    }
    const rows: Row[] = await knex('cohorts')
      .where({ project_id: projectId })
      .where(query => {
        void query.whereNotNull('filters').orWhereIn('id', [...lists]);
      })
      .orderBy(['name', 'id']);
    return rows.map(toCohort);
  }

  /** Selects cohorts, with the number of ids in their fixed lists. */
  #rows() {
    const { knex } = this.#database;
    return knex('cohorts').select(
      'cohorts.*',
      knex.raw(
        '(SELECT count(*) FROM cohort_ids WHERE cohort_id = cohorts.id) AS listed',
      ),
    );
  }

  /** Returns the people of a fixed list: the ids that represent them now, after merges. */
  async people(cohort: Cohort): Promise<string[]> {
    const listed = await this.#listed(cohort);
    return [...new Set(listed.map(({ person }) => person))];
  }

  /** Returns the ids in a fixed list that belong to the people with the given ids. */
  async idsOfPeople(
    cohort: Cohort,
    distinctIds: readonly string[],
  ): Promise<string[]> {
    if (distinctIds.length === 0) {
      return [];
    }
    const people = new Set(distinctIds);
    for (const some of chunksOf(distinctIds, CHUNK)) {
      const merged = await this.#database
        .knex('person_ids')
        .where({ project_id: cohort.projectId })
        .whereIn('distinct_id', [...some])
        .pluck<string[]>('person');
      merged.forEach(person => people.add(person));
    }
    return (await this.#listed(cohort))
      .filter(({ person }) => people.has(person))
      .map(({ id }) => id);
  }

  /** Returns the ids of a fixed list, each with the id that represents its person after merges. */
  async #listed({
    projectId,
    id,
  }: Cohort): Promise<{ id: string; person: string }[]> {
    const rows: { listed: string; person: string | null }[] =
      await this.#database
        .knex('cohort_ids as c')
        .leftJoin('person_ids as o', on =>
          on
            .on('o.project_id', 'c.project_id')
            .andOn('o.distinct_id', 'c.distinct_id'),
        )
        .where({ 'c.project_id': projectId, 'c.cohort_id': id })
        .orderBy('c.distinct_id')
        .select({ listed: 'c.distinct_id', person: 'o.person' });
    return rows.map(({ listed, person }) => ({
      id: listed,
      person: person ?? listed,
    }));
  }

  /** Returns the ids of a fixed list, as they were added. */
  ids({ projectId, id }: Cohort): Promise<string[]> {
    return this.#database
      .knex('cohort_ids')
      .where({ project_id: projectId, cohort_id: id })
      .orderBy('distinct_id')
      .pluck<string[]>('distinct_id');
  }

  /** Checks whether a fixed list contains an id, which may have neither a profile nor events. */
  async lists(projectId: string, distinctId: string): Promise<boolean> {
    const row: object | undefined = await this.#database
      .knex('cohort_ids')
      .where({ project_id: projectId, distinct_id: distinctId })
      .first('cohort_id');
    return row !== undefined;
  }

  /**
   * Adds a cohort.
   * @param options.ids - the distinct ids of a fixed list.
   * @param options.limit - maximum number of cohorts in a project.
   * @returns undefined if the project already has that many.
   */
  async add(
    cohort: Omit<Cohort, 'id' | 'listed'>,
    { ids, limit }: { ids: readonly string[]; limit: number },
  ): Promise<Cohort | undefined> {
    const { projectId, filters } = cohort;
    return this.#database.transaction(async trx => {
      const counted = await trx('cohorts')
        .where({ project_id: projectId })
        .count({ count: '*' })
        .first();
      if (Number(counted?.count) >= limit) {
        return undefined;
      }
      const [{ id }] = await trx('cohorts').insert(
        {
          project_id: projectId,
          name: cohort.name,
          description: cohort.description,
          filters: filters ? JSON.stringify(filters) : null,
          version: cohort.version,
          created_at: cohort.createdAt,
          created_by: cohort.createdBy,
          updated_at: cohort.updatedAt,
        },
        ['id'],
      );
      const added = { ...cohort, id: Number(id) };
      await addIds(trx, added, ids);
      return filters ? added : { ...added, listed: ids.length };
    });
  }

  /**
   * Writes a new state.
   * @param cohort.version - version of the previous state.
   * @param list - the ids to add to a fixed list and to remove from it.
   * @returns false if no cohort with that version exists.
   */
  async replace(
    cohort: Cohort,
    list?: { added: readonly string[]; removed: readonly string[] },
  ): Promise<boolean> {
    const { id, projectId, filters, version } = cohort;
    return this.#database.transaction(async trx => {
      const changed = await trx('cohorts')
        .where({ project_id: projectId, id, version })
        .update({
          name: cohort.name,
          description: cohort.description,
          filters: filters ? JSON.stringify(filters) : null,
          version: version + 1,
          updated_at: cohort.updatedAt,
        });
      if (changed > 0 && list) {
        for (const some of chunksOf(list.removed, CHUNK)) {
          await trx('cohort_ids')
            .where({ project_id: projectId, cohort_id: id })
            .whereIn('distinct_id', [...some])
            .delete();
        }
        await addIds(trx, cohort, list.added);
      }
      return changed > 0;
    });
  }

  /** @returns false if no cohort with that version exists. */
  async remove({ projectId, id, version }: Cohort): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const removed = await trx('cohorts')
        .where({ project_id: projectId, id, version })
        .delete();
      if (removed > 0) {
        await trx('cohort_ids')
          .where({ project_id: projectId, cohort_id: id })
          .delete();
      }
      return removed > 0;
    });
  }
}

async function addIds(
  trx: Database['knex'],
  { id, projectId }: Pick<Cohort, 'id' | 'projectId'>,
  ids: readonly string[],
): Promise<void> {
  for (const some of chunksOf(ids, CHUNK)) {
    await trx('cohort_ids').insert(
      some.map(each => ({
        cohort_id: id,
        project_id: projectId,
        distinct_id: each,
      })),
    );
  }
}

function toCohort(row: Row): Cohort {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    ...(row.filters !== null && { filters: JSON.parse(row.filters) }),
    ...(row.filters === null &&
      row.listed !== undefined && { listed: Number(row.listed) }),
    version: row.version,
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
    updatedAt: Number(row.updated_at),
  };
}
