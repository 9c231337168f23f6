import { InvalidRequestError } from '@slipway/service-kit';
import {
  type EventsPlan,
  type Expression,
  isAggregated,
  keyOf,
  kindOf,
  type Ordering,
} from './language/Expression.ts';
import { buildSelect, type Selection } from './language/buildSelect.ts';
import { parseHogql } from './language/parseHogql.ts';
import {
  parseCondition,
  parseOrdering,
  parseSelection,
} from './language/parseSelection.ts';
import { asExpression, readHogqlFilters } from './hogqlFilters.ts';
import { assertEmpty, fault, INSTEAD } from './faults.ts';
import type { FilterScope } from './cohortFilters.ts';
import { readFilters } from './readFilters.ts';
import { readPeriod } from './readPeriod.ts';
import { type Query, UNSUPPORTED } from './schemas.ts';
import { type TestAccounts, withoutTestAccounts } from './QueryContext.ts';
import { UTC } from './time/zones.ts';
import { assertOfPeople } from './insights/subject.ts';

/** Maximum characters in all expressions together, to limit how much engines have to parse. */
const LONGEST = 20_000;

/** A query with a table as its result. */
export interface TablePlan extends EventsPlan {
  /** The columns of the result; `*` counts as one. */
  readonly selections: readonly Selection[];
}

/** The project and the time of a query; days are in UTC by default. */
interface PlanContext
  extends
    Pick<FilterScope, 'now' | 'cohorts'>,
    Partial<Pick<FilterScope, 'calendar'>>,
    TestAccounts {
  readonly projectId: string;
  readonly groupTypes?: readonly string[];
}

export type EventsQuery = Pick<
  Query,
  | 'select'
  | 'event'
  | 'events'
  | 'after'
  | 'before'
  | 'where'
  | 'orderBy'
  | 'limit'
  | 'offset'
  | 'properties'
  | 'fixedProperties'
> &
  Partial<Query>;

/**
 * Parses an EventsQuery.
 * @throws InvalidRequestError naming the invalid field.
 */
export function planEventsQuery(
  query: EventsQuery,
  context: PlanContext,
): TablePlan {
  const { projectId, now, calendar = UTC, groupTypes } = context;
  const { testAccountFilters, cohorts } = context;
  const clock = { now, calendar, cohorts };
  assertOfPeople(query, '$group_0 in select');
  assertEmpty(query, [...UNSUPPORTED, 'breakdownFilter', 'dateRange'], {
    instead: {
      ...INSTEAD,
      breakdownFilter:
        'a TrendsQuery, or the property in select beside count()',
      dateRange: 'after and before',
    },
  });
  assertShort(query);
  const scope = { ...clock, groupTypes };
  const selections = (query.select?.length ? query.select : ['*']).map(
    (source, index) =>
      parseSelection(source, { field: `query.select.${index}`, scope }),
  );
  const named = (name: string) =>
    selections.find(({ label }) => label === name)?.expression;
  const conditions = (query.where ?? []).map((source, index) =>
    parseCondition(source, {
      field: `query.where.${index}`,
      scope: { ...scope, named },
    }),
  );
  const orderings = query.orderBy?.map((source, index) =>
    parseOrdering(source, {
      field: `query.orderBy.${index}`,
      scope,
      selections,
    }),
  );
  const filters = (['fixedProperties', 'properties'] as const).flatMap(name =>
    readFilters(query[name], `query.${name}`, clock),
  );
  const events = eventsOf(query);
  const select = buildSelect({
    from: {
      kind: 'events',
      projectId,
      ...readPeriod(query, clock),
      ...(events && { events }),
    },
    selections,
    where: [
      ...conditions.filter(each => !isAggregated(each)),
      ...filters,
      ...withoutTestAccounts(query, { ...clock, testAccountFilters }),
    ],
    having: conditions.filter(isAggregated),
    orderBy: orderings?.length ? orderings : defaultOrder(selections),
    limit: query.limit ?? 100,
    offset: query.offset ?? 0,
    fieldOf: (part, index) =>
      part === 'select'
        ? `query.select.${index}`
        : `query.${part === 'having' ? 'where' : part}`,
  });
  return { projectId, select, selections };
}

/**
 * Parses a HogQLQuery.
 * @throws InvalidRequestError naming the invalid field.
 */
export function planHogqlQuery(query: Query, context: PlanContext): TablePlan {
  const { projectId, now, calendar = UTC, groupTypes } = context;
  const { testAccountFilters, cohorts } = context;
  const clock = { now, calendar, cohorts };
  assertOfPeople(query, '$group_0 in the query');
  assertEmpty(
    query,
    [...UNSUPPORTED, 'filterTestAccounts', 'properties', 'dateRange'],
    {
      instead: {
        ...INSTEAD,
        filterTestAccounts: 'filters.filterTestAccounts',
        properties: 'filters.properties, and {filters} in the query',
        dateRange: 'filters.dateRange, and {filters} in the query',
      },
    },
  );
  if (!query.query) {
    throw fault('query.query', 'is required', 'required');
  }
  const placeholders = new Map<string, Expression>([
    ['filters', readHogqlFilters(query, { ...clock, testAccountFilters })],
    ...Object.entries(query.values ?? {}).map(
      ([name, value]) => [name, asExpression(value)] as const,
    ),
    ...Object.values(query.variables ?? {}).map(
      ({ code_name: name, value }) =>
        [`variables.${name}`, asExpression(value)] as const,
    ),
  ]);
  const { select, selections } = parseHogql(withoutEnd(query.query), {
    source: { kind: 'events', projectId },
    scope: { ...clock, groupTypes, placeholders },
  });
  return { projectId, select, selections };
}

/** Removes one trailing semicolon. */
function withoutEnd(written: string): string {
  const trimmed = written.trimEnd();
  return trimmed.endsWith(';') ? trimmed.slice(0, -1) : trimmed;
}

function assertShort(query: EventsQuery) {
  const { select = [], where = [], orderBy = [] } = query;
  const { properties = [], fixedProperties = [] } = query;
  const length =
    [...select, ...where, ...orderBy].join('').length +
    JSON.stringify([properties, fixedProperties]).length;
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

/** Returns PostHog's default order. */
function defaultOrder(selections: readonly Selection[]): Ordering[] {
  const expressions = selections.flatMap(({ expression }) => expression ?? []);
  const count = expressions.find(
    each =>
      each.kind === 'aggregate' &&
      each.function === 'count' &&
      each.args.length === 0 &&
      !each.when,
  );
  const aggregate =
    count ??
    expressions.find(
      each =>
        isAggregated(each) && !['texts', 'numbers'].includes(kindOf(each)),
    );
  if (aggregate) {
    return [{ expression: aggregate, descending: true }];
  }
  const timestamp: Expression = { kind: 'column', name: 'timestamp' };
  const hasTime = selections.some(
    ({ expression }) =>
      expression === undefined || keyOf(expression) === keyOf(timestamp),
  );
  if (hasTime) {
    return [{ expression: timestamp, descending: true }];
  }
  const first = expressions.find(
    each => !['json', 'texts', 'numbers'].includes(kindOf(each)),
  );
  return first && !expressions.some(isAggregated)
    ? [{ expression: first, descending: false }]
    : [];
}
