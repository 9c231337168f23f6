import type { Static } from 'typebox';
import { fault } from '../query/faults.ts';
import type { Query } from '../query/schemas.ts';
import type { Cohort } from './Cohort.ts';
import type { ListChange } from './FixedLists.ts';
import type {
  ChangedCohort,
  CohortCondition,
  CohortFilters,
  NewCohort,
  SentFilters,
} from './schemas.ts';

type CohortContent = Pick<Cohort, 'name' | 'description' | 'filters'>;

/** The people of a new fixed list: ids, or the people that a query selects. */
interface List {
  readonly ids: readonly string[];
  readonly query?: Query;
}

/**
 * Reads a new cohort: its conditions, or where the people of a fixed list come from.
 * @throws InvalidRequestError if it has both or neither.
 */
export function readNewCohort(body: Static<typeof NewCohort>): {
  content: CohortContent;
  list?: List;
} {
  const { filters, query, distinct_ids: ids } = body;
  const isFixed = body.is_static ?? !filters;
  if (isFixed && filters) {
    throw fault('filters', 'cannot be used with is_static');
  }
  if (!isFixed && (query || ids)) {
    throw fault(query ? 'query' : 'distinct_ids', 'needs is_static');
  }
  if (isFixed && !query && !ids) {
    throw fault('distinct_ids', 'or query is required for a list', 'required');
  }
  if (!isFixed && !filters) {
    throw fault('filters', 'is required', 'required');
  }
  if (query && query.kind !== 'ActorsQuery') {
    throw fault('query.kind', 'must be ActorsQuery', 'enum');
  }
  const { name, description } = body;
  return {
    content: {
      name: name.trim(),
      description: (description ?? '').trim(),
      ...(filters && { filters: readFilters(filters) }),
    },
    ...(isFixed && { list: { ids: ids ?? [], ...(query && { query }) } }),
  };
}

/** Reads the changed parts of a cohort. */
export function readContent({
  name,
  description,
  filters,
}: Static<typeof ChangedCohort>): Partial<CohortContent> {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(description !== undefined && { description: description.trim() }),
    ...(filters && { filters: readFilters(filters) }),
  };
}

/** Parses the people to add to a fixed list and to remove from it; undefined if there are none. */
export function readListChange({
  add_distinct_ids: added,
  remove_distinct_ids: removed,
}: Static<typeof ChangedCohort>): ListChange | undefined {
  return added || removed
    ? { added: added ?? [], removed: removed ?? [] }
    : undefined;
}

/** Returns the field of the request that contains the group of conditions, for errors. */
export function placeOf({ properties }: SentFilters): string {
  const place = 'filters.properties';
  return innerOf(properties) ? `${place}.values.0` : place;
}

/** Returns the group within a group in which PostHog sends conditions. */
function innerOf({ values: [first, ...others] }: SentFilters['properties']) {
  return 'values' in first && others.length === 0 ? first : undefined;
}

/** Unwraps the conditions from the group within a group. */
function readFilters({ properties }: SentFilters): CohortFilters {
  const { type, values } = innerOf(properties) ?? properties;
  const conditions = values.map((condition, index) => {
    if ('values' in condition) {
      throw fault(
        `filters.properties.values.${index}`,
        'cannot be a group beside others',
      );
    }
    return plain(condition);
  });
  return { properties: { type, values: conditions } };
}

/** Returns the known fields of a condition. */
function plain(condition: CohortCondition): CohortCondition {
  const { negation } = condition;
  if (condition.type === 'person') {
    const { type, key, operator, value } = condition;
    return {
      type,
      key,
      ...(operator && { operator }),
      ...(value !== undefined && { value }),
      ...(negation && { negation }),
    };
  }
  const { type, key, value, operator = 'gte' } = condition;
  const { operator_value: times = 1 } = condition;
  return {
    type,
    key,
    value,
    ...(value === 'performed_event_multiple' && {
      operator,
      operator_value: times,
    }),
    time_value: condition.time_value,
    time_interval: condition.time_interval,
    ...(negation && { negation }),
  };
}
