import { fault } from '../faults.ts';
import type { FilterGroup, Filters, PropertyFilter } from '../filterSchemas.ts';
import { COUNT } from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import { readFilters } from '../readFilters.ts';
import { PERSON } from './buckets.ts';
import type { SelectActors } from './selectedNumber.ts';

/** The types of filters on people, which match either all events of a person or none. */
const OF_PEOPLE: ReadonlySet<unknown> = new Set(['cohort', 'person']);

/**
 * Selects the people who match filters, one per row, with the total number of their events.
 * @throws InvalidRequestError if a filter is not about people.
 */
export function readPeople(
  filters: Filters | undefined,
  context: InsightContext,
): SelectActors {
  const path = 'query.properties';
  assertOfPeople(filters ?? [], path);
  const where = readFilters(filters, path, context);
  return conditions => ({
    kind: 'select',
    from: { kind: 'events', projectId: context.projectId },
    columns: [PERSON, COUNT],
    where: [...where, ...conditions],
    groupBy: [PERSON],
  });
}

function assertOfPeople(
  filters: Filters | PropertyFilter | FilterGroup,
  path: string,
): void {
  if ('key' in filters) {
    if (!OF_PEOPLE.has(filters.type)) {
      throw fault(`${path}.type`, 'must be person or cohort', 'enum');
    }
    return;
  }
  // Arrays have a `values` method, so check for `type`.
  const inner = 'type' in filters ? filters.values : filters;
  const place = 'type' in filters ? `${path}.values` : path;
  inner.forEach((each, index) => assertOfPeople(each, `${place}.${index}`));
}
