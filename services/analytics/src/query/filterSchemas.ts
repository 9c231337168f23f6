import { type Static, Type } from 'typebox';

const FilterValue = Type.Union([
  Type.String({ maxLength: 2_000 }),
  Type.Number(),
  Type.Boolean(),
]);

/** Operators for testing a property, named as in PostHog. */
const FILTER_OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
  'between',
  'not_between',
  'in',
  'not_in',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/**
 * The owner of the property. With `hogql`, the key is a condition; with `cohort`, the value
 * is a cohort's id.
 */
const FILTER_TYPES = [
  'event',
  'person',
  'group',
  'event_metadata',
  'hogql',
  'cohort',
] as const;

const orNull = <T extends string>(values: readonly T[]) =>
  Type.Optional(Type.Unsafe<T | null>({ enum: [...values, null] }));

/** A filter as in PostHog; `operator` defaults to `exact`. */
export const propertyFilter = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 2_000 }),
  value: Type.Optional(
    Type.Unsafe<FilterValueType | FilterValueType[]>({
      anyOf: [
        FilterValue,
        Type.Array(FilterValue, { minItems: 1, maxItems: 1_000 }),
        Type.Null(),
      ],
      description: 'One value, or several of which one must match',
    }),
  ),
  operator: orNull(FILTER_OPERATORS),
  type: orNull(FILTER_TYPES),
  group_type_index: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 4,
    }),
  ),
});
type FilterValueType = Static<typeof FilterValue>;
export type PropertyFilter = Static<typeof propertyFilter>;

/** A group of filters and other groups, nested as in PostHog. */
export interface FilterGroup {
  readonly type: 'AND' | 'OR';
  readonly values: readonly (PropertyFilter | FilterGroup)[];
}
export type Filters = readonly PropertyFilter[] | FilterGroup;

const MOST_FILTERS = 50;

/** Returns the schema of groups nested to a depth; the deepest contain filters only. */
function filterGroup(depth: number): object {
  return {
    type: 'object',
    required: ['type', 'values'],
    properties: {
      type: { enum: ['AND', 'OR'] },
      values: {
        type: 'array',
        maxItems: MOST_FILTERS,
        items:
          depth === 0
            ? propertyFilter
            : {
                if: { type: 'object', required: ['values'] },
                then: filterGroup(depth - 1),
                else: propertyFilter,
              },
      },
    },
  };
}

export const filtersSchema = Type.Optional(
  Type.Unsafe<Filters>({
    type: ['array', 'object'],
    if: { type: 'object' },
    then: filterGroup(2),
    else: { type: 'array', items: propertyFilter, maxItems: MOST_FILTERS },
    description:
      'Property filters of which all must match, or a group {type: AND or OR, values}',
  }),
);
