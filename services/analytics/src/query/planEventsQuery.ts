import { InvalidRequestError } from '@slipway/service-kit';
import {
  type Comparison,
  type Condition,
  type EventsPlan,
  type Expression,
  keyOf,
  type Operand,
  operandsOf,
  type Ordering,
  type Selection,
} from './language/EventsPlan.ts';
import { parseCondition } from './language/parseCondition.ts';
import { parseOrdering, parseSelection } from './language/parseOperand.ts';
import { readPeriod } from './readPeriod.ts';
import {
  type EventsQuery,
  type FilterOperator,
  type PropertyFilter,
  UNSUPPORTED,
} from './schemas.ts';

/** Characters of all expressions together: bounds what engines have to read before they begin. */
const LONGEST = 20_000;

/**
 * Reads an EventsQuery.
 *
 * @param options.now - milliseconds since the Unix epoch.
 * @throws InvalidRequestError naming the field that is at fault.
 */
export function planEventsQuery(
  query: EventsQuery,
  options: { projectId: string; now: number },
): EventsPlan {
  const { projectId, now } = options;
  assertSupported(query);
  assertShort(query);
  const select = (query.select?.length ? query.select : ['*']).map(
    (source, index) => parseSelection(source, `query.select.${index}`),
  );
  const conditions = (query.where ?? []).map((source, index) =>
    parseCondition(source, `query.where.${index}`),
  );
  const orderings = query.orderBy?.map((source, index) =>
    parseOrdering(source, {
      field: `query.orderBy.${index}`,
      selections: select,
    }),
  );
  const filters = (['fixedProperties', 'properties'] as const).flatMap(name =>
    (query[name] ?? []).map((filter, index) =>
      readPropertyFilter(filter, `query.${name}.${index}`),
    ),
  );
  const having = conditions.filter(isOfGroups);
  const isAggregated =
    having.length > 0 ||
    [...select, ...(orderings ?? [])].some(
      ({ expression }) => expression.kind === 'aggregate',
    );
  const plan: EventsPlan = {
    projectId,
    select,
    ...readPeriod(query, now),
    ...(eventsOf(query) && { events: eventsOf(query) }),
    where: [
      ...conditions.filter(condition => !isOfGroups(condition)),
      ...filters,
    ],
    having,
    orderBy: orderings?.length ? orderings : defaultOrder(select),
    isAggregated,
    limit: query.limit ?? 100,
    offset: query.offset ?? 0,
  };
  if (isAggregated) {
    assertGrouped(plan);
  }
  return plan;
}

/** An answer that left out what was asked would be a wrong one. */
function assertSupported(query: EventsQuery): void {
  assertEmpty(query, UNSUPPORTED);
}

/**
 * Refuses fields of a query that would change its answer. Empty, they ask for nothing, in
 * PostHog too.
 *
 * @param path - of the query in the request.
 * @throws InvalidRequestError naming the first that is not empty.
 */
export function assertEmpty<Q extends object>(
  query: Q,
  names: readonly (keyof Q & string)[],
  path = 'query',
): void {
  const name = names.find(each => query[each]);
  if (name) {
    const field = `${path}.${name}`;
    throw new InvalidRequestError(`${field} is not supported`, {
      field,
      constraint: 'unsupported',
    });
  }
}

function assertShort(query: EventsQuery) {
  const { select = [], where = [], orderBy = [] } = query;
  const { properties = [], fixedProperties = [] } = query;
  const length =
    [...select, ...where, ...orderBy].join('').length +
    JSON.stringify([...properties, ...fixedProperties]).length;
  if (length > LONGEST) {
    throw new InvalidRequestError(
      `query has expressions of more than ${LONGEST} characters`,
      { field: 'query', constraint: 'maxLength' },
    );
  }
}

function eventsOf(query: EventsQuery): string[] | undefined {
  if (query.event) {
    return [query.event];
  }
  return query.events?.length ? query.events : undefined;
}

function isOfGroups(condition: Condition): boolean {
  return operandsOf(condition).some(({ kind }) => kind === 'aggregate');
}

/** Orders rows as PostHog does where the query does not say. */
function defaultOrder(select: readonly Selection[]): Ordering[] {
  const operands = select.map(({ expression }) => expression).filter(isOperand);
  const count = operands.find(
    each => each.kind === 'aggregate' && each.function === 'count' && !each.of,
  );
  const aggregate = count ?? operands.find(({ kind }) => kind === 'aggregate');
  if (aggregate) {
    return [{ expression: aggregate, descending: true }];
  }
  const timestamp: Operand = { kind: 'column', name: 'timestamp' };
  const hasTime = select.some(
    ({ expression }) =>
      expression.kind === 'everything' ||
      keyOf(expression) === keyOf(timestamp),
  );
  if (hasTime) {
    return [{ expression: timestamp, descending: true }];
  }
  const first = operands.find(each => !isObject(each));
  return first ? [{ expression: first, descending: false }] : [];
}

/** Groups have a value only for what they agree in. */
function assertGrouped(plan: EventsPlan): void {
  const groups = new Set(
    plan.select.map(({ expression }) => keyOf(expression)),
  );
  plan.select.forEach(({ expression }, index) => {
    if (expression.kind === 'everything' || isObject(expression)) {
      throw ungrouped(`query.select.${index}`, 'a whole object');
    }
  });
  const used = [
    ...plan.orderBy.map(({ expression }) => ({ expression, field: 'orderBy' })),
    ...plan.having
      .flatMap(operandsOf)
      .map(expression => ({ expression, field: 'where' })),
  ];
  for (const { expression, field } of used) {
    if (expression.kind !== 'aggregate' && !groups.has(keyOf(expression))) {
      throw ungrouped(`query.${field}`, 'what is not selected');
    }
  }
}

function ungrouped(field: string, what: string): InvalidRequestError {
  return new InvalidRequestError(
    `${field} cannot have ${what} together with aggregates`,
    {
      field,
      constraint: 'aggregate',
    },
  );
}

function isOperand(expression: Expression): expression is Operand {
  return expression.kind !== 'everything';
}

function isObject(expression: Operand): boolean {
  return expression.kind === 'column' && expression.name === 'properties';
}

const COMPARISONS: Partial<Record<FilterOperator, Comparison>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/**
 * Reads a filter of a property as PostHog means it: values are compared as texts, so that
 * `3` and `"3"` are the same, and an absent property is not what it is compared with.
 *
 * @param field - of the request, for errors.
 * @throws InvalidRequestError where its operator cannot take its value.
 */
export function readPropertyFilter(
  { key, value, operator: name = 'exact' }: PropertyFilter,
  field: string,
): Condition {
  const left = { kind: 'property', name: key } as const;
  if (name === 'is_set' || name === 'is_not_set') {
    return { kind: 'absent', left, negated: name === 'is_set' };
  }
  if (value === undefined) {
    throw fault(`${field}.value`, 'is required', 'required');
  }
  const values = [value].flat().map(String);
  const operatorOfNumbers = COMPARISONS[name];
  if (operatorOfNumbers) {
    return {
      kind: 'compare',
      operator: operatorOfNumbers,
      left: { kind: 'number', name: key },
      right: readNumber(values, `${field}.value`),
    };
  }
  if (name === 'exact' || name === 'is_not') {
    return { kind: 'in', left, values, negated: name === 'is_not' };
  }
  const negated = name === 'not_icontains';
  return {
    kind: negated ? 'and' : 'or',
    all: values.map(text => ({
      kind: 'like',
      left,
      pattern: `%${text.replace(/[\\%_]/g, '\\$&')}%`,
      caseless: true,
      negated,
    })),
  };
}

function readNumber(values: readonly string[], field: string): number {
  const [text] = values;
  const number = Number(text);
  if (values.length !== 1 || text.trim() === '' || !Number.isFinite(number)) {
    throw fault(field, 'must be one number', 'type');
  }
  return number;
}

function fault(
  field: string,
  wording: string,
  constraint: string,
): InvalidRequestError {
  return new InvalidRequestError(`${field} ${wording}`, { field, constraint });
}
