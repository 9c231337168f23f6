import type {
  Cohort,
  CohortChanges,
  CohortsApi,
  ListChanges,
  NewCohort,
  VersionedCohort,
} from '../api/CohortsApi';

/** Builds a cohort of users who bought something. */
export function cohortOf(id: number, changes: Partial<Cohort> = {}): Cohort {
  return {
    id,
    name: `Cohort ${id}`,
    description: '',
    is_static: false,
    filters: {
      properties: {
        type: 'AND',
        values: [
          {
            type: 'behavioral',
            key: 'bought',
            value: 'performed_event',
            time_value: 30,
            time_interval: 'day',
          },
        ],
      },
    },
    version: 1,
    created_by: 'user:default/ada',
    updated_at: '2026-11-21T10:00:00.000Z',
    may_change: true,
    ...changes,
  };
}

/** {@link CohortsApi} that keeps cohorts in memory. */
export class FakeCohortsApi implements CohortsApi {
  /** All received requests to create a cohort. */
  readonly created: NewCohort[] = [];
  /** All received changes to fixed lists. */
  readonly changedLists: ({ id: number } & ListChanges)[] = [];
  /** The error with which {@link deleteCohort} rejects, if any. */
  refusal: Error | undefined;

  constructor(public cohorts: Cohort[] = []) {}

  async getCohorts(): Promise<Cohort[]> {
    return this.cohorts;
  }

  async createCohort(_projectId: string, cohort: NewCohort): Promise<Cohort> {
    this.created.push(cohort);
    const { name, description, is_static, filters } = cohort;
    return this.#add({
      name,
      description: description ?? '',
      is_static,
      filters,
    });
  }

  async changeCohort(
    _projectId: string,
    { id, version }: VersionedCohort,
    changes: CohortChanges,
  ): Promise<Cohort> {
    this.cohorts = this.cohorts.map(each =>
      each.id === id ? { ...each, ...changes, version: version + 1 } : each,
    );
    return this.cohorts.find(each => each.id === id)!;
  }

  async changeList(
    _projectId: string,
    id: number,
    changes: ListChanges,
  ): Promise<Cohort> {
    this.changedLists.push({ id, ...changes });
    return this.cohorts.find(each => each.id === id)!;
  }

  async deleteCohort(
    _projectId: string,
    { id }: VersionedCohort,
  ): Promise<void> {
    if (this.refusal) {
      throw this.refusal;
    }
    this.cohorts = this.cohorts.filter(each => each.id !== id);
  }

  async duplicateCohort(_projectId: string, id: number): Promise<Cohort> {
    const cohort = this.cohorts.find(each => each.id === id)!;
    return this.#add({ ...cohort, name: `${cohort.name} (copy)` });
  }

  #add(changes: Partial<Cohort>): Cohort {
    const id = 1 + Math.max(0, ...this.cohorts.map(each => each.id));
    const cohort = { ...cohortOf(id), ...changes, id };
    this.cohorts = [...this.cohorts, cohort];
    return cohort;
  }
}
