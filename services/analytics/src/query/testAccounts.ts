import type { PropertyFilter } from './filterSchemas.ts';
import type { Expression } from './language/Expression.ts';
import { readFilters } from './readFilters.ts';
import type { Clock } from './readPeriod.ts';

/** The filters of a project that all events match except those of test accounts. */
export interface TestAccounts {
  readonly testAccountFilters?: readonly PropertyFilter[];
}

/** Returns the conditions that leave out test accounts; none unless the query wants that. */
export function withoutTestAccounts(
  { filterTestAccounts }: { filterTestAccounts?: boolean },
  { testAccountFilters, ...clock }: TestAccounts & Clock,
): Expression[] {
  return filterTestAccounts
    ? readFilters(testAccountFilters, 'test_account_filters', clock)
    : [];
}
