import type { Person } from '../people/storage/PersonStore.ts';
import type { Project } from '../projects/Project.ts';
import type { Answers } from '../query/Answers.ts';
import {
  type Aggregate,
  call,
  COUNT,
  keyOf,
  type Select,
  valueOf,
} from '../query/language/Expression.ts';
import { groupsBySize } from '../query/language/extent.ts';
import type { Requester } from '../store/process/QueryQueue.ts';
import type { Cohort } from './Cohort.ts';
import { readTests } from './cohortCondition.ts';
import type { CohortStore } from './storage/CohortStore.ts';

/** Maximum count and total parts of the numbers that one query computes: engines limit its size. */
const MOST_AT_ONCE = { count: 100, parts: 4_000 };

/** Finds the cohorts that a person is in. */
export class CohortsOfPerson {
  readonly #store: Pick<CohortStore, 'possible'>;
  readonly #answers: Pick<Answers, 'ask'>;
  readonly #now: () => number;

  constructor(options: {
    store: Pick<CohortStore, 'possible'>;
    answers: Pick<Answers, 'ask'>;
    now: () => number;
  }) {
    this.#store = options.store;
    this.#answers = options.answers;
    this.#now = options.now;
  }

  /**
   * Lists the cohorts that contain a person, by name. The conditions of all cohorts are
   * evaluated together, on the events of this person only. As in queries, only people with
   * events meet conditions.
   */
  async find(
    { id: projectId, calendar }: Pick<Project, 'id' | 'calendar'>,
    person: Pick<Person, 'id' | 'distinctIds'>,
    requester: Requester,
  ): Promise<Cohort[]> {
    const { distinctIds } = person;
    const place = {
      projectId,
      calendar,
      now: this.#now(),
      person: person.id,
    };
    const possible = (await this.#store.possible(projectId, distinctIds)).map(
      cohort => ({
        cohort,
        tests: cohort.filters && readTests(cohort.filters, place),
      }),
    );
    const count = await this.#count(
      possible.flatMap(({ tests = [] }) => tests.map(({ number }) => number)),
      { projectId, distinctIds },
      requester,
    );
    return possible
      .filter(({ cohort: { filters }, tests }) => {
        if (!filters || !tests) {
          return true;
        }
        const isMet = tests.map(test => test.isMet(count(test.number)));
        const isAny = filters.properties.type === 'OR';
        return (
          count(COUNT) > 0 &&
          (isAny ? isMet.some(Boolean) : isMet.every(Boolean))
        );
      })
      .map(({ cohort }) => cohort);
  }

  /** Computes numbers from a person's events, and returns a function that looks them up. */
  async #count(
    asked: readonly Aggregate[],
    of: { projectId: string; distinctIds: readonly string[] },
    requester: Requester,
  ): Promise<(number: Aggregate) => number> {
    const { projectId, distinctIds } = of;
    const found = new Map<string, number>();
    const numbers = new Map(
      (asked.length > 0 ? [COUNT, ...asked] : []).map(number => [
        keyOf(number),
        number,
      ]),
    );
    for (const columns of groupsBySize([...numbers.values()], MOST_AT_ONCE)) {
      const select: Select = {
        kind: 'select',
        from: { kind: 'events', projectId },
        columns,
        where: [
          call(
            'in',
            [
              { kind: 'column', name: 'distinct_id' },
              ...distinctIds.map(id => valueOf(id)),
            ],
            'boolean',
          ),
        ],
        groupBy: [],
      };
      const { rows } = await this.#answers.ask(
        {
          key: JSON.stringify(['cohorts of a person', select]),
          plan: { projectId, select },
        },
        requester,
      );
      columns.forEach((number, index) =>
        found.set(keyOf(number), Number(rows[0]?.[index])),
      );
    }
    return number => found.get(keyOf(number)) ?? 0;
  }
}
