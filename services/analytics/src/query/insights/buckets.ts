import {
  call,
  type Call,
  type EventsSource,
  type Expression,
  valueOf,
} from '../language/Expression.ts';
import { assertEmpty, fault, INSTEAD } from '../faults.ts';
import { readQueryDate } from '../readPeriod.ts';
import type { Interval } from '../insightSchemas.ts';
import { type Query, UNSUPPORTED } from '../schemas.ts';
import { isDateText } from '../time/moments.ts';
import { type Calendar, localOf, move, startOf } from '../time/zones.ts';
import type { InsightContext } from '../QueryContext.ts';

/** Maximum number of points in a line. */
const MOST_BUCKETS = 1_000;

export const EVENT: Expression = { kind: 'column', name: 'event' };
export const TIMESTAMP: Expression = { kind: 'column', name: 'timestamp' };
export const PERSON: Expression = { kind: 'column', name: 'person' };

/** Consecutive time intervals without gaps. */
export interface Buckets {
  readonly unit: Interval;
  readonly calendar: Calendar;
  /** Start times in milliseconds. */
  readonly starts: readonly number[];
  /** End time of the last interval in milliseconds, exclusive. */
  readonly end: number;
}

/** Reads the bounds of a query's period, both inclusive; `from` is not yet rounded to a bucket. */
export async function readRange(
  { dateRange = {} }: Pick<Query, 'dateRange'>,
  context: InsightContext,
): Promise<{ from: number; to: number }> {
  const asked = dateRange.date_from || '-7d';
  const from =
    readQueryDate(asked, {
      ...context,
      field: 'query.dateRange.date_from',
      isEnd: false,
    }) ?? (await firstOf(context));
  const to = readEnd(dateRange, context);
  if (from > to) {
    throw fault(
      'query.dateRange.date_from',
      'is later than date_to',
      'maximum',
    );
  }
  return {
    from:
      unitOf(dateRange) === 'hour' || !isRelative(asked)
        ? from
        : startOf(from, 'day', context.calendar),
    to,
  };
}

/** Reads the last moment of a query's period; now by default. */
export function readEnd(
  { date_to: asked }: NonNullable<Query['dateRange']>,
  context: InsightContext,
): number {
  if (!asked) {
    return context.now;
  }
  const field = 'query.dateRange.date_to';
  const end = readQueryDate(asked, { ...context, field, isEnd: true });
  if (end === undefined) {
    throw fault(field, 'must be a date or a time', 'format');
  }
  // A date means its whole day, even if the period is in hours.
  return isDateText(asked) ? end - 1 : end;
}

/** Returns the unit that a period consists of: days, unless it is given in hours. */
export function unitOf({
  date_from: asked,
}: NonNullable<Query['dateRange']>): 'hour' | 'day' {
  return /[hMs]$/.test(asked ?? '') ? 'hour' : 'day';
}

function isRelative(text: string): boolean {
  return (
    text === 'all' ||
    (!isDateText(text) && /^[+-]?\d/.test(text) && !text.includes(':'))
  );
}

/** Returns the time of the project's first event. */
async function firstOf({
  projectId,
  now,
  ask,
}: InsightContext): Promise<number> {
  const { rows } = await ask({
    kind: 'select',
    from: { kind: 'events', projectId },
    columns: [
      { kind: 'aggregate', function: 'min', args: [TIMESTAMP], of: 'time' },
    ],
    where: [],
    groupBy: [],
    limit: 1,
  });
  return Number(rows[0]?.[0] ?? now);
}

/**
 * Returns the buckets from the start to the end of the period.
 * @param options.isWhole - returns a single bucket, for a result that is not shown over
 *   time.
 */
export async function readBuckets(
  query: Pick<Query, 'dateRange' | 'interval'>,
  context: InsightContext,
  { isWhole = false } = {},
): Promise<Buckets> {
  const { interval: unit = 'day' } = query;
  const { from, to } = await readRange(query, context);
  const { calendar } = context;
  return (isWhole ? wholeBetween : bucketsBetween)(from, to, {
    unit,
    calendar,
  });
}

/** Returns a single bucket that covers whole days of a period, or whole hours. */
export function wholeBetween(
  from: number,
  to: number,
  { unit, calendar }: Pick<Buckets, 'unit' | 'calendar'>,
): Buckets {
  return {
    unit,
    calendar,
    starts: [startOf(from, unit, calendar)],
    end: endOf(to, { unit, calendar }),
  };
}

/** Returns the buckets from the one that contains a first moment to the one that contains a last. */
export function bucketsBetween(
  from: number,
  to: number,
  { unit, calendar }: Pick<Buckets, 'unit' | 'calendar'>,
): Buckets {
  const { zone } = calendar;
  const end = endOf(to, { unit, calendar });
  const starts: number[] = [];
  for (
    let at = startOf(from, unit, calendar);
    at < end;
    at = startOf(move(at, unit, { steps: 1, zone }), unit, calendar)
  ) {
    if (starts.length === MOST_BUCKETS) {
      throw fault(
        'query.interval',
        `makes more than ${MOST_BUCKETS} points of this period: choose a longer one`,
        'maximum',
      );
    }
    starts.push(at);
  }
  return { unit, calendar, starts, end };
}

/** Returns the end of the day that contains a time, or of its hour if buckets are hours. */
export function endOf(
  to: number,
  { unit, calendar }: Pick<Buckets, 'unit' | 'calendar'>,
): number {
  const last = unit === 'hour' ? 'hour' : 'day';
  const { zone } = calendar;
  return move(startOf(to, last, calendar), last, { steps: 1, zone });
}

/** Returns the index of an event's bucket. */
export function bucketOf({ starts }: Pick<Buckets, 'starts'>): Call {
  return call(
    'bucket',
    [TIMESTAMP, ...starts.map(start => valueOf(start, 'time'))],
    'number',
  );
}

/** Returns the source of the events in the buckets. */
export function sourceOf(
  buckets: Buckets,
  options: { projectId: string; events?: readonly string[] },
): EventsSource {
  const { projectId, events } = options;
  return {
    kind: 'events',
    projectId,
    ...(events && { events }),
    after: buckets.starts[0] - 1,
    before: buckets.end,
  };
}

/** Formats a start as `2026-11-21`, with the time if buckets are hours. */
export function dayOf(start: number, { unit, calendar }: Buckets): string {
  const text = new Date(localOf(calendar.zone, start)).toISOString();
  return unit === 'hour'
    ? `${text.slice(0, 10)} ${text.slice(11, 19)}`
    : text.slice(0, 10);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats a start as `21-Nov-2026`, with the time if buckets are hours. */
export function bucketLabel(
  start: number,
  { unit, calendar }: Buckets,
): string {
  const date = new Date(localOf(calendar.zone, start));
  const day = `${date.getUTCDate()}-${
    MONTHS[date.getUTCMonth()]
  }-${date.getUTCFullYear()}`;
  return unit === 'hour' ? `${day} ${date.toISOString().slice(11, 16)}` : day;
}

/**
 * Rejects options that no insight supports, and options of table queries.
 * @param options.breaksDown - true if this kind of insight can have a breakdown.
 * @param options.compares - true if it can be compared with an earlier period.
 */
export function assertInsight(
  query: Query,
  { breaksDown = false, compares = false } = {},
): void {
  const { breakdownFilter = {}, compareFilter = {}, dateRange = {} } = query;
  assertEmpty(dateRange, ['explicitDate'], {
    path: 'query.dateRange',
    instead: INSTEAD,
  });
  if (!breaksDown) {
    assertEmpty(breakdownFilter, ['breakdown', 'breakdowns'], {
      path: 'query.breakdownFilter',
      instead: {
        breakdown: 'one query for each value, with a filter in properties',
        breakdowns: 'one query for each value, with a filter in properties',
      },
    });
  }
  if (!compares) {
    assertEmpty(compareFilter, ['compare'], {
      path: 'query.compareFilter',
      instead: { compare: 'a second query with the dateRange before' },
    });
  }
  const { samplingFactor } = query;
  assertEmpty(
    // A factor of 1 means all events, so it changes nothing.
    { ...query, ...(samplingFactor === 1 && { samplingFactor: undefined }) },
    [
      ...UNSUPPORTED,
      'select',
      'where',
      'events',
      'event',
      'after',
      'before',
      'orderBy',
      'fixedProperties',
    ],
    { instead: INSTEAD },
  );
}
