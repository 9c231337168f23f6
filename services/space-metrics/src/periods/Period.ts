import { InvalidRequestError } from '@slipway/service-kit';
import { DateTime } from 'luxon';
import {
  formatDay,
  localDayOf,
  startOfNextMonth,
  weekdayOf,
  type LocalDay,
} from './LocalDay.ts';

/** Whole days of the reporting zone, half-open: `start` belongs to it, `end` does not. */
export interface Period {
  readonly start: LocalDay;
  readonly end: LocalDay;
}

/** How a period is cut for a series; see {@link bucketsOf}. */
export type Granularity = 'daily' | 'weekly' | 'monthly';

/** What a period is read from: a date, or a timestamp, each in ISO 8601. */
export interface PeriodQuery {
  start_date?: string;
  end_date?: string;
}

const DEFAULT_DAYS = 30;
/** A century: more is a slip of the pen and would only cost time. */
const MAXIMUM_DAYS = 36_525;
/** A series has so many parts at most. */
const MAXIMUM_BUCKETS = 1_000;

/**
 * Reads the period of a query. An end that is a date includes that whole day; so does
 * one that is a timestamp within the day, as numbers are kept by the day. Without an
 * end it is today, without a start 30 days before the end.
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
  // Half-open: an end at midnight includes nothing of the day that begins.
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

/** Writes a period as answers show it: both days inclusive. */
export function presentPeriod({ start, end }: Period): {
  start: string;
  end: string;
} {
  return { start: formatDay(start), end: formatDay(end - 1) };
}

/** The period of the same length straight before. */
export function previousPeriod({ start, end }: Period): Period {
  return { start: start - (end - start), end: start };
}

/** What of it is not after `today`. Never empty: a period in the future keeps its first day. */
export function elapsedPart({ start, end }: Period, today: LocalDay): Period {
  return { start, end: Math.max(start + 1, Math.min(end, today + 1)) };
}

/** Measures a period in weeks, so that part weeks become rates. */
export function weeksOf({ start, end }: Period): number {
  return (end - start) / 7;
}

/**
 * Cuts a period into days, calendar weeks (Monday to Sunday) or calendar months; the
 * first and the last are cut to the period.
 *
 * @throws InvalidRequestError when there would be more than a thousand.
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

/** A whole day, or an instant (milliseconds since 1970) of it. */
interface Moment {
  day: LocalDay;
  instant?: number;
}

function readMoment(
  text: string,
  { field, timeZone }: { field: string; timeZone: string },
): Moment {
  if (DATE.test(text)) {
    // As most queries have it, and these are asked thousands of times a second.
    const midnight = new Date(`${text}T00:00:00Z`);
    // What is parsed leniently, such as the 30th of February, is another day.
    if (midnight.getUTCDate() === Number(text.slice(-2))) {
      return { day: localDayOf(midnight.getTime(), 'UTC') };
    }
  } else if (/^\d{4}-?\d{2}-?\d{2}T/.test(text)) {
    // A space is what a plus sign in a query becomes when it was not encoded.
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

/** Within one day two instants alone have an order. */
function isAfter(begin: Moment, end: Moment): boolean {
  return begin.instant === undefined || end.instant === undefined
    ? begin.day > end.day
    : begin.instant > end.instant;
}
