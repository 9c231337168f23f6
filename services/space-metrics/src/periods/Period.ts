import { InvalidRequestError } from '@slipway/service-kit';
import { DateTime } from 'luxon';
import {
  formatDay,
  localDayOf,
  startOfNextMonth,
  weekdayOf,
  type LocalDay,
} from './LocalDay.ts';

/** Whole days in the reporting time zone, from `start` (inclusive) to `end` (exclusive). */
export interface Period {
  readonly start: LocalDay;
  readonly end: LocalDay;
}

/** Interval of a series; see {@link bucketsOf}. */
export type Granularity = 'daily' | 'weekly' | 'monthly';

/** The period parameters of a query: a date or a timestamp for each end, in ISO 8601. */
export interface PeriodQuery {
  start_date?: string;
  end_date?: string;
}

const DEFAULT_DAYS = 30;
/** A century; a longer period is most likely a typo and would only waste time. */
const MAXIMUM_DAYS = 36_525;
/** Maximum number of buckets in a series. */
const MAXIMUM_BUCKETS = 1_000;

/**
 * Parses the period of a query. An end that is a date includes the whole day, and so does a
 * timestamp within the day, as numbers are stored by day. The end defaults to today, the start to
 * 30 days before the end.
 *
 * @throws InvalidRequestError naming the parameter.
 */
export function readPeriod(
  query: PeriodQuery,
  options: { now: Date; timeZone: string },
): Period {
  const { now, timeZone } = options;
  const { start_date: from, end_date: until } = query;
  const end: Moment =
    until === undefined
      ? { day: localDayOf(now.getTime(), timeZone) }
      : readMoment(until, { field: 'end_date', timeZone });
  // Half-open: an end at midnight does not include the day that starts then.
  const endDay =
    end.instant === undefined ? end.day : localDayOf(end.instant - 1, timeZone);
  if (from === undefined) {
    return { start: endDay - DEFAULT_DAYS, end: endDay + 1 };
  }
  const begin = readMoment(from, { field: 'start_date', timeZone });
  if (isAfter(begin, end)) {
    throw new InvalidRequestError('start_date must not be after end_date', {
      field: 'start_date',
      constraint: 'maximum',
    });
  }
  const start = begin.day;
  const last = Math.max(start, endDay);
  if (last - start > MAXIMUM_DAYS) {
    throw new InvalidRequestError('A period must not exceed 100 years', {
      field: 'start_date',
      constraint: 'minimum',
    });
  }
  return { start, end: last + 1 };
}

/** Formats a period for responses: both days inclusive. */
export function presentPeriod({ start, end }: Period): {
  start: string;
  end: string;
} {
  return { start: formatDay(start), end: formatDay(end - 1) };
}

/** Returns the period of the same length immediately before. */
export function previousPeriod({ start, end }: Period): Period {
  return { start: start - (end - start), end: start };
}

/**
 * Returns the part of a period up to and including `today`. Never empty: a period in the future
 * keeps its first day.
 */
export function elapsedPart({ start, end }: Period, today: LocalDay): Period {
  return { start, end: Math.max(start + 1, Math.min(end, today + 1)) };
}

/** Returns the length of a period in weeks, which may be fractional, for computing rates. */
export function weeksOf({ start, end }: Period): number {
  return (end - start) / 7;
}

/**
 * Divides a period into days, calendar weeks (Monday to Sunday) or calendar months; the first and
 * the last are truncated to the period.
 *
 * @throws InvalidRequestError if there would be more than a thousand.
 */
export function bucketsOf(period: Period, granularity: Granularity): Period[] {
  const buckets: Period[] = [];
  for (let start = period.start; start < period.end;) {
    const end = Math.min(period.end, nextBoundary(start, granularity));
    buckets.push({ start, end });
    if (buckets.length > MAXIMUM_BUCKETS) {
      throw new InvalidRequestError(
        `The period has more than ${MAXIMUM_BUCKETS} parts: ask for a coarser granularity`,
        { field: 'granularity', constraint: 'maximum' },
      );
    }
    start = end;
  }
  return buckets;
}

function nextBoundary(day: LocalDay, granularity: Granularity): LocalDay {
  switch (granularity) {
    case 'daily':
      return day + 1;
    case 'weekly':
      return day + 8 - weekdayOf(day);
    default:
      return startOfNextMonth(day);
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A whole day, or an instant (milliseconds since 1970) within it. */
interface Moment {
  day: LocalDay;
  instant?: number;
}

function readMoment(
  text: string,
  { field, timeZone }: { field: string; timeZone: string },
): Moment {
  if (DATE.test(text)) {
    // A fast path for the most common format, because queries arrive thousands of times per second.
    const midnight = new Date(`${text}T00:00:00Z`);
    // Lenient parsing turns an invalid date, such as 30 February, into another day.
    if (midnight.getUTCDate() === Number(text.slice(-2))) {
      return { day: localDayOf(midnight.getTime(), 'UTC') };
    }
  } else if (/^\d{4}-?\d{2}-?\d{2}T/.test(text)) {
    // An unencoded plus sign in a query arrives as a space.
    const read = DateTime.fromISO(text.replace(' ', '+'), { zone: timeZone });
    if (read.isValid) {
      const instant = read.toMillis();
      return { day: localDayOf(instant, timeZone), instant };
    }
  }
  throw new InvalidRequestError(
    `${field} must be an ISO 8601 date or timestamp`,
    { field, constraint: 'format' },
  );
}

/** Returns whether a period begins after its end; within a day, only two instants are compared. */
function isAfter(begin: Moment, end: Moment): boolean {
  return begin.instant === undefined || end.instant === undefined
    ? begin.day > end.day
    : begin.instant > end.instant;
}
