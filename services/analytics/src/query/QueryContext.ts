import type { PropertyFilter } from './filterSchemas.ts';
import type {
  EventsPlan,
  Expression,
  PlanRows,
  Select,
} from './language/Expression.ts';
import type { PersonStore } from '../people/storage/PersonStore.ts';
import type { FilterScope } from './cohortFilters.ts';
import { readFilters } from './readFilters.ts';

/** A project's filters that match all events except those of test accounts. */
export interface TestAccounts {
  readonly testAccountFilters?: readonly PropertyFilter[];
}

/** Finds the profiles of people. */
export type Profiles = Pick<PersonStore, 'findAll' | 'withOtherId'>;

/** The project of a query, and the meaning of its times, filters and names. */
interface ProjectScope extends FilterScope, TestAccounts {
  readonly projectId: string;
  /** The group types of the project, by their numbers. */
  readonly groupTypes?: readonly string[];
}

/** The context in which one caller's queries run on one project. */
export interface QueryContext extends ProjectScope {
  /** True if results must not reveal who did something. */
  readonly hidesPeople: boolean;
  /** The profiles of people; only an ActorsQuery needs them. */
  readonly persons?: Profiles;
  /**
   * Queries the store.
   * @param source - the query that the plan was made from, in a form that does not change
   *   over time.
   */
  readonly ask: (plan: EventsPlan, source?: object) => Promise<PlanRows>;
}

/** The context in which insights are computed: the project, the time, and the store. */
export interface InsightContext extends ProjectScope {
  /** Queries the store. */
  readonly ask: (select: Select) => Promise<PlanRows>;
  /** Conditions that events must meet in addition to the query's, e.g. that their person is in a cohort. */
  readonly among?: readonly Expression[];
  /**
   * Checks expressions on single events, such as filters.
   * @throws ForbiddenError if they could reveal who did something in a project that
   *   hides it.
   */
  readonly assertShown: (expressions: readonly Expression[]) => void;
}

/** Returns the conditions that exclude test accounts; none unless the query asks for it. */
export function withoutTestAccounts(
  { filterTestAccounts }: { filterTestAccounts?: boolean },
  { testAccountFilters, ...clock }: TestAccounts & FilterScope,
): Expression[] {
  return filterTestAccounts
    ? readFilters(testAccountFilters, 'test_account_filters', clock)
    : [];
}
