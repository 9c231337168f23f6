import { fault } from './faults.ts';
import type { PropertyFilter } from './filterSchemas.ts';
import { type Expression, not } from './language/Expression.ts';
import type { Clock } from './readPeriod.ts';

/** A cohort that a query refers to. */
export interface NamedCohort {
  readonly name: string;
  /** The condition that an event belongs to a person in the cohort. */
  readonly condition: Expression;
}

/** The context in which filters are read. */
export interface FilterScope extends Clock {
  /**
   * Returns a cohort by its id; undefined if the project has no such cohort. If omitted,
   * queries cannot refer to cohorts.
   */
  readonly cohorts?: (id: string) => NamedCohort | undefined;
}

/** Parses a cohort filter, whose value is the cohort's id. */
export function readCohortFilter(
  { key, value, operator }: PropertyFilter,
  { field, clock }: { field: string; clock: FilterScope },
): Expression {
  if (!clock.cohorts) {
    throw fault(`${field}.type`, 'cannot be cohort here', 'enum');
  }
  if (key !== 'id') {
    throw fault(`${field}.key`, 'must be id for a cohort', 'enum');
  }
  const isNegated = operator === 'not_in';
  if (!isNegated && ![undefined, null, 'in', 'exact'].includes(operator)) {
    throw fault(
      `${field}.operator`,
      'must be in or not_in for a cohort',
      'enum',
    );
  }
  const [id, ...others] = [value ?? []].flat();
  if (id === undefined || others.length > 0) {
    throw fault(`${field}.value`, 'must be the id of one cohort', 'type');
  }
  const cohort = clock.cohorts(String(id));
  if (!cohort) {
    throw fault(`${field}.value`, 'is not a cohort of the project', 'enum');
  }
  return isNegated ? not(cohort.condition) : cohort.condition;
}
