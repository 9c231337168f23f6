import {
  allOf,
  anyOf,
  call,
  type Expression,
  isAggregated,
  not,
  type Property,
  type PropertyOwner,
  valueOf,
} from './language/Expression.ts';
import { type FilterScope, readCohortFilter } from './cohortFilters.ts';
import { fault } from './faults.ts';
import type { FunctionName } from './language/functionNames.ts';
import { parseWhole } from './language/parseExpression.ts';
import { whatIsUnsafe } from './language/patterns.ts';
import { readQueryDate } from './readPeriod.ts';
import type {
  FilterGroup,
  FilterOperator,
  Filters,
  PropertyFilter,
} from './filterSchemas.ts';

const MOST = 200;
const DEEPEST = 4;

/**
 * Parses property filters: a list of filters that must all match, or one of PostHog's
 * groups.
 * @param field - the field of the request, for errors.
 * @throws InvalidRequestError if an operator does not accept its value.
 */
export function readFilters(
  filters: Filters | undefined | null,
  field: string,
  clock: FilterScope,
): Expression[] {
  const counted = { filters: 0 };
  return filters
    ? [readGroup(filters, { field, clock, counted, depth: 0 })]
    : [];
}

/**
 * Parses one property filter.
 * @param field - of the request, for errors.
 */
export function readOneFilter(
  filter: PropertyFilter,
  field: string,
  clock: FilterScope,
): Expression {
  return readFilter(filter, {
    field,
    clock,
    counted: { filters: 1 },
    depth: 0,
  });
}

interface Place {
  readonly field: string;
  readonly clock: FilterScope;
  readonly counted: { filters: number };
  readonly depth: number;
}

function readGroup(filters: Filters, place: Place): Expression {
  const { field, depth } = place;
  if (depth > DEEPEST) {
    throw fault(field, `is nested deeper than ${DEEPEST}`, 'maximum');
  }
  if (isList(filters)) {
    return allOf(
      filters.map((each, index) =>
        readOne(each, { ...place, field: `${field}.${index}` }),
      ),
    );
  }
  const parts = filters.values.map((each, index) =>
    readOne(each, {
      ...place,
      field: `${field}.values.${index}`,
      depth: depth + 1,
    }),
  );
  return parts.length === 0 || filters.type === 'AND'
    ? allOf(parts)
    : anyOf(parts);
}

function isList(filters: Filters): filters is readonly PropertyFilter[] {
  return Array.isArray(filters);
}

function readOne(
  filter: PropertyFilter | FilterGroup,
  place: Place,
): Expression {
  if ('values' in filter) {
    return readGroup(filter, place);
  }
  place.counted.filters += 1;
  if (place.counted.filters > MOST) {
    throw fault(place.field, `has more than ${MOST} filters`, 'maxItems');
  }
  return readFilter(filter, place);
}

const COMPARISONS: Partial<Record<FilterOperator, FunctionName>> = {
  gt: 'greater',
  gte: 'greaterOrEquals',
  lt: 'less',
  lte: 'lessOrEquals',
};

const DATES: Partial<Record<FilterOperator, FunctionName>> = {
  is_date_before: 'less',
  is_date_after: 'greater',
};

/** Parses a HogQL expression as a filter. */
function readHogql(
  { key }: PropertyFilter,
  { field, clock }: Place,
): Expression {
  const place = { field: `${field}.key`, scope: clock };
  const condition = parseWhole(key, place, parser => parser.condition());
  if (isAggregated(condition)) {
    throw fault(place.field, 'cannot be an aggregate: filters test one event');
  }
  return condition;
}

/** PostHog's alternative names of operators. */
const SAME: Partial<Record<FilterOperator, FilterOperator>> = {
  in: 'exact',
  not_in: 'is_not',
};

function ownerOf(filter: PropertyFilter): PropertyOwner {
  switch (filter.type) {
    case 'person':
      return 'person';
    case 'group':
      return `group_${(filter.group_type_index ?? 0) as 0 | 1 | 2 | 3 | 4}`;
    default:
      return 'event';
  }
}

function readColumn(key: string, field: string): Expression {
  const name = (['event', 'distinct_id'] as const).find(each => each === key);
  if (!name) {
    throw fault(`${field}.key`, 'must be event or distinct_id', 'enum');
  }
  return { kind: 'column', name };
}

/**
 * Parses a filter with PostHog's semantics: values are compared as text, so that `3` and
 * `"3"` are equal, and a missing property differs from every value.
 */
function readFilter(filter: PropertyFilter, place: Place): Expression {
  const { field, clock } = place;
  if (filter.type === 'hogql') {
    return readHogql(filter, place);
  }
  if (filter.type === 'cohort') {
    return readCohortFilter(filter, place);
  }
  const { key, value, operator } = filter;
  const name = SAME[operator ?? 'exact'] ?? operator ?? 'exact';
  const owner = ownerOf(filter);
  const property: Property = {
    kind: 'property',
    path: [key],
    as: 'text',
    ...(owner !== 'event' && { owner }),
  };
  const left: Expression =
    filter.type === 'event_metadata' ? readColumn(key, field) : property;
  if (name === 'is_set' || name === 'is_not_set') {
    return call(name === 'is_set' ? 'isNotNull' : 'isNull', [left], 'boolean');
  }
  if (value === undefined || value === null) {
    throw fault(`${field}.value`, 'is required', 'required');
  }
  const values = [value].flat().map(String);
  const operatorOfNumbers = COMPARISONS[name];
  if (operatorOfNumbers) {
    const number = readNumber(values, `${field}.value`);
    return call(
      operatorOfNumbers,
      [{ ...property, as: 'number' }, valueOf(number)],
      'boolean',
    );
  }
  if (name === 'between' || name === 'not_between') {
    const number: Expression = { ...property, as: 'number' };
    const isWithin = readRange(values, `${field}.value`).map((bound, index) =>
      call(
        index === 0 ? 'greaterOrEquals' : 'lessOrEquals',
        [number, valueOf(bound)],
        'boolean',
      ),
    );
    return name === 'between' ? allOf(isWithin) : not(allOf(isWithin));
  }
  const operatorOfDates = DATES[name];
  if (operatorOfDates || name === 'is_date_exact') {
    return readDateFilter(property, values, {
      ...place,
      operator: operatorOfDates,
      clock,
    });
  }
  if (name === 'exact' || name === 'is_not') {
    return call(
      name === 'exact' ? 'in' : 'notIn',
      [left, ...values.map(each => valueOf(each))],
      'boolean',
    );
  }
  const isNegated = name.startsWith('not_');
  const tested = anyOf(
    values.map(each =>
      name.endsWith('regex')
        ? call(
            'matches',
            [left, valueOf(readPattern(each, `${field}.value`))],
            'boolean',
          )
        : call(
            'ilike',
            [left, valueOf(`%${each.replace(/[\\%_]/g, '\\$&')}%`)],
            'boolean',
          ),
    ),
  );
  return isNegated ? not(tested) : tested;
}

/** @throws InvalidRequestError naming the field if the regular expression is not allowed. */
export function readPattern(pattern: string, field: string): string {
  const wrong = whatIsUnsafe(pattern);
  if (wrong) {
    throw fault(field, `has a regular expression that ${wrong}`, 'pattern');
  }
  return pattern;
}

function readDateFilter(
  property: Property,
  values: readonly string[],
  place: Place & { operator: FunctionName | undefined },
): Expression {
  const { field, clock, operator } = place;
  const { zone, weekStart } = clock.calendar;
  const [text] = values;
  if (values.length !== 1) {
    throw fault(`${field}.value`, 'must be one date', 'type');
  }
  const moment = readQueryDate(text, { ...clock, field: `${field}.value` });
  if (moment === undefined) {
    throw fault(`${field}.value`, 'must be a date', 'format');
  }
  const time = call('timeOfText', [property], 'time', [zone]);
  if (operator) {
    return call(operator, [time, valueOf(moment, 'time')], 'boolean');
  }
  const day = (of: Expression) =>
    call('dateOf', [of], 'date', ['day', zone, String(weekStart)]);
  return call('equals', [day(time), day(valueOf(moment, 'time'))], 'boolean');
}

function readRange(values: readonly string[], field: string): number[] {
  if (values.length !== 2) {
    throw fault(field, 'must be two numbers', 'type');
  }
  return values.map(text => readNumber([text], field));
}

function readNumber(values: readonly string[], field: string): number {
  const [text] = values;
  const number = Number(text);
  if (values.length !== 1 || text.trim() === '' || !Number.isFinite(number)) {
    throw fault(field, 'must be one number', 'type');
  }
  return number;
}
