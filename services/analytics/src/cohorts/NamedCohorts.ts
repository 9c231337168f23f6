import type { FilterScope, NamedCohort } from '../query/cohortFilters.ts';
import { fault } from '../query/faults.ts';
import type { Clock } from '../query/readPeriod.ts';
import type { EventStore } from '../store/EventStore.ts';
import { type Cohort, cohortsIn } from './Cohort.ts';
import { isOneOfPeople, meetsConditions } from './cohortCondition.ts';
import type { CohortStore } from './storage/CohortStore.ts';

/** Maximum cohorts in one query: each may add one subquery per condition. */
const MOST_NAMED = 20;
/** Maximum bytes of the fixed lists in one query, as JSON: engines limit the text that they parse. */
const MOST_BYTES = 2_500_000;

/** The cohorts that a query refers to. */
export interface Named {
  /** A key that differs after each change of these cohorts. */
  readonly key: string;
  /**
   * Reads the people of fixed lists, and returns the function with which filters and
   * breakdowns look up a cohort.
   */
  open(clock: Clock): Promise<NonNullable<FilterScope['cohorts']>>;
}

/** Finds the cohorts that the filters and breakdowns of queries refer to. */
export class NamedCohorts {
  readonly #store: Pick<CohortStore, 'findAll' | 'people'>;
  readonly #events: Pick<EventStore, 'applyPeople'>;

  constructor(options: {
    store: Pick<CohortStore, 'findAll' | 'people'>;
    events: Pick<EventStore, 'applyPeople'>;
  }) {
    this.#store = options.store;
    this.#events = options.events;
  }

  /**
   * @param query - a query or a part of it.
   * @param field - the field of the request that contains the query, for errors.
   * @throws InvalidRequestError if it refers to too many cohorts.
   */
  async find(
    projectId: string,
    query: unknown,
    field = 'query',
  ): Promise<Named> {
    const ids = [...new Set(cohortsIn(query))].filter(isId);
    if (ids.length > MOST_NAMED) {
      throw fault(field, `names more than ${MOST_NAMED} cohorts`, 'maximum');
    }
    const cohorts = await this.#store.findAll(projectId, ids.map(Number));
    return {
      key: JSON.stringify(cohorts.map(({ id, version }) => [id, version])),
      open: async clock => {
        const named = await this.#named(cohorts, clock, field);
        return id => (isId(id) ? named.get(Number(id)) : undefined);
      },
    };
  }

  async #named(
    cohorts: readonly Cohort[],
    clock: Clock,
    field: string,
  ): Promise<ReadonlyMap<number, NamedCohort>> {
    if (cohorts.some(({ filters }) => !filters)) {
      // Apply pending changes, so that people who were just merged count as one.
      await this.#events.applyPeople();
    }
    const named = new Map<number, NamedCohort>();
    let bytes = 0;
    for (const cohort of cohorts) {
      const { id, projectId, name, filters } = cohort;
      if (filters) {
        const condition = meetsConditions(filters, { ...clock, projectId });
        named.set(id, { name, condition });
        continue;
      }
      const people = await this.#store.people(cohort);
      bytes += Buffer.byteLength(JSON.stringify(people));
      if (bytes > MOST_BYTES) {
        throw fault(field, 'has cohorts with too many people', 'maximum');
      }
      named.set(id, { name, condition: isOneOfPeople(people) });
    }
    return named;
  }
}

/** Checks whether a text may be the id of a cohort. */
function isId(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}
