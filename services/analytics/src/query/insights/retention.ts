import { call, equals, field, valueOf } from '../language/Expression.ts';
import { assertEmpty } from '../faults.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { isoIn, move, startOf } from '../time/zones.ts';
import { assertInsight, type Buckets, bucketOf, readEnd } from './buckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { eventsOf, isOf, readEntity, sharedFilters } from './series.ts';
import {
  type Breakdown,
  breakdownLabel,
  readBreakdown,
} from './readBreakdown.ts';
import {
  countItems,
  countItemsBy,
  ITEM,
  type ListPerSubject,
  readSubject,
} from './subject.ts';

/** Factor that encodes list items as COHORT × cohort index + intervals since the cohort. */
const COHORT = 1_000;

/**
 * The condition that an item counts a person's start, in interval 0 of a row. Breakdowns
 * show the values with the most such items separately, as in PostHog.
 */
export const IS_START = equals(
  call('modulo', [ITEM, valueOf(COHORT)], 'number'),
  0,
);

const PERIODS = {
  Hour: 'hour',
  Day: 'day',
  Week: 'week',
  Month: 'month',
} as const;

/** A parsed RetentionQuery. */
interface Retention {
  /** A list per person, with the {@link retentionItem} of each number that counts the person. */
  readonly lists: ListPerSubject;
  readonly buckets: Buckets;
  readonly period: keyof typeof PERIODS;
  readonly breakdown: Breakdown | undefined;
}

/** Returns the item for the people of a row who returned a number of intervals later. */
export function retentionItem(row: number, later: number): number {
  return row * COHORT + later;
}

/** Parses a RetentionQuery. */
export function readRetention(
  query: Query,
  context: InsightContext,
): Retention {
  assertInsight(query, { breaksDown: true });
  const { retentionFilter = {} } = query;
  assertCounts(retentionFilter);
  const {
    period = 'Day',
    totalIntervals: intervals = 8,
    retentionType: type = 'retention_recurring',
    minimumOccurrences: occurrences = 1,
    cumulative = false,
  } = retentionFilter;
  const path = 'query.retentionFilter';
  const target = readEntity(
    retentionFilter.targetEntity,
    `${path}.targetEntity`,
    context,
  );
  const returning = readEntity(
    retentionFilter.returningEntity,
    `${path}.returningEntity`,
    context,
  );
  const shared = sharedFilters(query, context);
  const subject = readSubject(query, context);
  const firstOnly = type === 'retention_first_time';
  const buckets = bucketsUpTo(query, context, {
    unit: PERIODS[period],
    count: intervals,
  });
  const events = eventsOf([target, returning]);
  const isTarget = isOf(target);
  const isReturn = isOf(returning);
  const lists: ListPerSubject = {
    subject,
    events: {
      ...(events && { events }),
      // Whether an event is a person's first depends on the whole past.
      ...(!firstOnly && { after: buckets.starts[0] - 1 }),
      before: buckets.end,
    },
    where: [...shared, call('or', [isTarget, isReturn], 'boolean')],
    columns: [bucketOf(buckets), isTarget, isReturn],
    list: {
      kind: 'aggregate',
      function: {
        kind: 'retention',
        intervals,
        firstOnly,
        cumulative,
        occurrences,
      },
      args: [field(1, 'number'), field(2, 'boolean'), field(3, 'boolean')],
      of: 'numbers',
    },
  };
  return { lists, buckets, period, breakdown: readBreakdown(query, context) };
}

/** Answers a RetentionQuery: how many of the people who did something returned later. */
export async function answerRetention(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  const retention = readRetention(query, context);
  const { lists, buckets, period, breakdown } = retention;
  const intervals = buckets.starts.length;
  const present = (counts: ReadonlyMap<number, number>, value?: string) =>
    buckets.starts.map((start, cohort) => ({
      date: isoIn(context.calendar.zone, start),
      label: `${period} ${cohort}`,
      values: Array.from({ length: intervals - cohort }, (_, later) => ({
        count: counts.get(retentionItem(cohort, later)) ?? 0,
        label: `${period} ${later}`,
      })),
      ...(value !== undefined && { breakdown_value: value }),
    }));
  if (!breakdown) {
    return { results: present(await countItems(lists, context)) };
  }
  const found = await countItemsBy(lists, breakdown, {
    context,
    ranked: IS_START,
  });
  return {
    results: found.values.flatMap(({ value, counts }) =>
      present(counts, breakdownLabel(value, breakdown)),
    ),
    hasMore: found.hasMore,
  };
}

/** Rejects settings that make PostHog count something else. */
function assertCounts(filter: NonNullable<Query['retentionFilter']>): void {
  const { aggregationType: type } = filter;
  assertEmpty(
    { ...filter, ...(type === 'count' && { aggregationType: undefined }) },
    ['retentionCustomBrackets', 'aggregationType', 'aggregationProperty'],
    {
      path: 'query.retentionFilter',
      instead: {
        retentionCustomBrackets: 'period and totalIntervals',
        aggregationType: 'a TrendsQuery with math sum or avg',
        aggregationProperty: 'a TrendsQuery with math_property',
      },
    },
  );
}

/** Returns the requested number of buckets, up to the one at the end of the period. */
function bucketsUpTo(
  { dateRange = {} }: Query,
  context: InsightContext,
  { unit, count }: { unit: 'hour' | 'day' | 'week' | 'month'; count: number },
): Buckets {
  const { calendar } = context;
  const to = readEnd(dateRange, context);
  const last = startOf(to, unit, calendar);
  const { zone } = calendar;
  const starts = Array.from({ length: count }, (_, index) =>
    startOf(
      move(last, unit, { steps: index - count + 1, zone }),
      unit,
      calendar,
    ),
  );
  return { unit, calendar, starts, end: move(last, unit, { steps: 1, zone }) };
}
