import { InvalidRequestError } from '@slipway/service-kit';
import type {
  Aggregate,
  Condition,
  EventsPlan,
  RowExpression,
  TimeUnit,
} from './language/EventsPlan.ts';
import { assertEmpty, readPropertyFilter } from './planEventsQuery.ts';
import { move, readQueryDate, startOf } from './readPeriod.ts';
import type { TrendSeries, TrendsQuery } from './schemas.ts';

/** Buckets of a line, at most; values of a breakdown, where the query does not say. */
const MOST_BUCKETS = 1_000;
const BREAKDOWN_LIMIT = 25;
const MOST_ROWS = 50_000;

const HOUR_MS = 3_600_000;
const UNITS = { hour: 'h', day: 'd', week: 'w', month: 'm' } as const;

const UNSUPPORTED = [
  'actionId',
  'actionSteps',
  'filterTestAccounts',
  'fixedProperties',
  'personId',
  'samplingFactor',
  'source',
] as const;

/** Displays that show one number of the whole period, which no line tells. */
const OF_WHOLE_PERIOD: ReadonlySet<string> = new Set([
  'ActionsBarValue',
  'ActionsPie',
  'ActionsTable',
  'BoldNumber',
  'WorldMap',
]);

/** Stretches of time that follow each other without a gap, in UTC. */
export interface Buckets {
  readonly unit: TimeUnit;
  /** Milliseconds of their starts. */
  readonly starts: readonly number[];
  /** Exclusive, milliseconds. */
  readonly end: number;
}

/** A TrendsQuery that was read and checked. */
export interface TrendsPlan {
  readonly projectId: string;
  readonly buckets: Buckets;
  /** The same number of buckets right before, where the query compares. */
  readonly previous?: Buckets;
  readonly series: readonly TrendLine[];
  readonly breakdown?: { readonly property: string; readonly limit: number };
}

/** A line of trends, before it is broken down. */
export interface TrendLine {
  readonly asked: TrendSeries;
  readonly value: Aggregate;
  readonly events?: readonly string[];
  readonly where: readonly Condition[];
}

/**
 * Reads a TrendsQuery.
 *
 * @param options.now - milliseconds since the Unix epoch.
 * @param options.first - when the first event of the project happened, for `all`.
 * @throws InvalidRequestError naming the field that is at fault.
 */
export function planTrends(
  query: TrendsQuery,
  options: { projectId: string; now: number; first: number },
): TrendsPlan {
  assertEmpty(query, UNSUPPORTED);
  const { breakdownFilter = {}, trendsFilter = {}, compareFilter = {} } = query;
  assertEmpty(breakdownFilter, ['breakdowns'], 'query.breakdownFilter');
  assertEmpty(compareFilter, ['compare_to'], 'query.compareFilter');
  assertEmpty(
    trendsFilter,
    ['formula', 'formulas', 'formulaNodes'],
    'query.trendsFilter',
  );
  if (OF_WHOLE_PERIOD.has(trendsFilter.display ?? '')) {
    throw fault('query.trendsFilter.display', 'must be a display over time');
  }
  if (!query.series) {
    throw fault('query.series', 'is required', 'required');
  }
  const shared = (query.properties ?? []).map((filter, index) =>
    readPropertyFilter(filter, `query.properties.${index}`),
  );
  const buckets = readBuckets(query, options);
  const { breakdown, breakdown_limit: limit = BREAKDOWN_LIMIT } =
    breakdownFilter;
  return {
    projectId: options.projectId,
    buckets,
    ...(compareFilter.compare && { previous: bucketsBefore(buckets) }),
    series: query.series.map((asked, index) => ({
      asked,
      value: readMath(asked, `query.series.${index}`),
      ...(asked.event && { events: [asked.event] }),
      where: [
        ...shared,
        ...(asked.properties ?? []).map((filter, at) =>
          readPropertyFilter(filter, `query.series.${index}.properties.${at}`),
        ),
      ],
    })),
    ...(breakdown && { breakdown: { property: breakdown, limit } }),
  };
}

/** The plan that finds the values of a line: rows of its bucket, its value of the breakdown, the number. */
export function planOfLine(
  plan: Pick<TrendsPlan, 'projectId'>,
  line: TrendLine,
  options: {
    buckets: Buckets;
    /** Makes a row for each bucket; without it one for the whole period. */
    byBucket: boolean;
    by?: RowExpression;
    where?: readonly Condition[];
    limit?: number;
  },
): EventsPlan {
  const { buckets, byBucket, by, where = [], limit = MOST_ROWS } = options;
  const expressions = [
    ...(byBucket
      ? [
          {
            kind: 'truncated',
            unit: buckets.unit,
            of: 'timestamp',
            asDate: false,
          } as const,
        ]
      : []),
    ...(by ? [by] : []),
    line.value,
  ];
  return {
    projectId: plan.projectId,
    select: expressions.map((expression, index) => ({
      label: `c${index}`,
      expression,
    })),
    ...(line.events && { events: line.events }),
    after: buckets.starts[0] - 1,
    before: buckets.end,
    where: [...line.where, ...where],
    having: [],
    orderBy: [{ expression: line.value, descending: true }],
    isAggregated: true,
    limit,
    offset: 0,
  };
}

function readMath(series: TrendSeries, field: string): Aggregate {
  const { math = 'total', math_property: property } = series;
  switch (math) {
    case 'total':
      return { kind: 'aggregate', function: 'count' };
    case 'dau':
      return {
        kind: 'aggregate',
        function: 'countDistinct',
        of: { kind: 'column', name: 'distinct_id' },
      };
    case 'unique_session':
      return {
        kind: 'aggregate',
        function: 'countDistinct',
        of: { kind: 'property', name: '$session_id' },
      };
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      if (!property) {
        throw fault(`${field}.math_property`, 'is required', 'required');
      }
      return {
        kind: 'aggregate',
        function: math,
        of: { kind: 'number', name: property },
      };
    default:
      return math satisfies never;
  }
}

/** Buckets from the one that the period begins in to the one that it ends in. */
function readBuckets(
  { dateRange = {}, interval = 'day' }: TrendsQuery,
  { now, first }: { now: number; first: number },
): Buckets {
  const unit = UNITS[interval];
  const read = (text: string, name: string) =>
    readQueryDate(text, { field: `query.dateRange.${name}`, now });
  const from = read(dateRange.date_from ?? '-7d', 'date_from') ?? first;
  const to = dateRange.date_to ? read(dateRange.date_to, 'date_to') : now;
  if (to === undefined) {
    throw fault('query.dateRange.date_to', 'must be a date or a time');
  }
  if (from > to) {
    throw fault('query.dateRange.date_from', 'is later than date_to');
  }
  // The day that it ends on counts whole, unless it is about hours.
  const last = interval === 'hour' ? startOf(new Date(to), 'h') : endOfDay(to);
  const starts: number[] = [];
  let at = startOf(new Date(from), unit);
  while (at.getTime() <= last.getTime()) {
    if (starts.length === MOST_BUCKETS) {
      throw fault(
        'query.interval',
        `makes more than ${MOST_BUCKETS} points of this period: choose a longer one`,
      );
    }
    starts.push(at.getTime());
    at = move(at, unit, 1);
  }
  const end =
    interval === 'hour' ? last.getTime() + HOUR_MS : last.getTime() + 1;
  return { unit: interval, starts, end };
}

function bucketsBefore({ unit, starts }: Buckets): Buckets {
  const count = starts.length;
  return {
    unit,
    starts: starts.map((_, index) =>
      move(new Date(starts[0]), UNITS[unit], index - count).getTime(),
    ),
    end: starts[0],
  };
}

function endOfDay(instant: number): Date {
  return new Date(move(startOf(new Date(instant), 'd'), 'd', 1).getTime() - 1);
}

function fault(
  field: string,
  wording: string,
  constraint = 'unsupported',
): InvalidRequestError {
  return new InvalidRequestError(`${field} ${wording}`, { field, constraint });
}
