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
import { type Place, parseWhole } from './language/parseExpression.ts';
import { readOrdering } from './language/readClauses.ts';
import { assertEmpty, INSTEAD } from './faults.ts';
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
export interface PlanContext
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
    parseWhole(
      source,
      { field: `query.where.${index}`, scope: { ...scope, named } },
      parser => parser.condition(),
    ),
  );
  const orderings = query.orderBy?.map((source, index) =>
    parseWhole(source, { field: `query.orderBy.${index}`, scope }, parser =>
      readOrdering(parser, selections),
    ),
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

/** HogQL's comment syntax, which PostHog's pages use for labels. */
const COMMENT = '--';

/** Parses an element of `select`: an expression, optionally followed by `as name` or `-- label`. */
function parseSelection(written: string, place: Place): Selection {
  const at = commentAt(written);
  const source = (at < 0 ? written : written.slice(0, at)).trim();
  const comment = at < 0 ? '' : written.slice(at + COMMENT.length).trim();
  const label = comment || source;
  return parseWhole(source, place, parser => {
    const { reader } = parser;
    if (reader.takeSign('*')) {
      return { label };
    }
    // PostHog's pages select people by this name.
    if (reader.isWord('person_display_name') && reader.peek(1) === undefined) {
      reader.next();
      return { label, expression: { kind: 'column', name: 'person' } };
    }
    const expression = parser.expression();
    const alias = reader.takeWord('as') ? reader.expectWord() : source;
    return { label: comment || alias, expression };
  });
}

/** Returns the index at which an expression's comment starts, outside of quotes; -1 if there is none. */
function commentAt(written: string): number {
  let isText = false;
  for (let at = 0; at < written.length; at += 1) {
    if (isText && written[at] === '\\') {
      at += 1;
    } else if (written[at] === "'") {
      isText = !isText;
    } else if (!isText && written.startsWith(COMMENT, at)) {
      return at;
    }
  }
  return -1;
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
