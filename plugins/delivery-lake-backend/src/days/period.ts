import { InputError } from '@backstage/errors';
import {
  DoraPeriod,
  SeriesInterval,
} from '@slipway/plugin-delivery-lake-common';
import { DateTime, Info, Zone } from 'luxon';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Half-open, [start, end), in milliseconds since the Unix epoch. */
export interface Period {
  start: number;
  end: number;
}

const DEFAULT_DAYS = 30;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

function parseMoment(field: string, text: string, zone: string): DateTime {
  // An unescaped plus sign arrives as a space.
  const moment = DateTime.fromISO(text.replace(/ (?=\d{2}:?\d{2}$)/, '+'), {
    zone,
  });
  if (!moment.isValid || !(DATE.test(text) || TIMESTAMP.test(text))) {
    throw new InputError(
      `${field}: must be a date like 2026-11-21 or an ISO 8601 timestamp`,
    );
  }
  return moment;
}

/**
 * Parses the period of a query. A date is a day in the zone, and an end date is inclusive;
 * a timestamp without an offset is read in the zone.
 * Default: the 30 days before the end, which is the end of today unless given.
 *
 * @throws InputError naming the invalid parameter.
 */
export function parsePeriod(
  query: { startDate?: string; endDate?: string },
  options: { timeZone: string; now: number },
): Period {
  const { timeZone: zone, now } = options;
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  let end = today.plus({ days: 1 }).toMillis();
  let lastDay: DateTime = today;
  const endsWithDay = query.endDate === undefined || DATE.test(query.endDate);
  if (query.endDate !== undefined) {
    const given = parseMoment('endDate', query.endDate, zone);
    lastDay = given.startOf('day');
    end = endsWithDay ? lastDay.plus({ days: 1 }).toMillis() : given.toMillis();
  }
  const start =
    query.startDate === undefined
      ? DateTime.min(today, lastDay).minus({ days: DEFAULT_DAYS })
      : parseMoment('startDate', query.startDate, zone);
  // The end is exclusive: the first moment after the last day.
  if (endsWithDay ? start.toMillis() >= end : start.toMillis() > end) {
    throw new InputError('startDate: must not be after endDate');
  }
  return { start: start.toMillis(), end };
}

/**
 * Returns the part of a period up to the end of today, because future days would lower every rate.
 * Empty for a period in the future.
 */
export function elapsedPart(
  { start, end }: Period,
  options: { timeZone: string; now: number },
): Period {
  const { timeZone: zone, now } = options;
  // Avoids the slow search for midnight, because most periods have already ended.
  if (end <= now) {
    return { start, end };
  }
  const tomorrow = DateTime.fromMillis(now, { zone })
    .startOf('day')
    .plus({ days: 1 });
  return { start, end: Math.max(start, Math.min(end, tomorrow.toMillis())) };
}

/** Returns the period of the same length, to the millisecond, immediately before another. */
export function previousPeriod(period: Period): Period {
  return { start: 2 * period.start - period.end, end: period.start };
}

/** Returns the first and last day of a period, inclusive, for a response. */
export function toDoraPeriod(period: Period, timeZone: string): DoraPeriod {
  const date = (moment: number) =>
    DateTime.fromMillis(moment, { zone: timeZone }).toFormat('yyyy-MM-dd');
  return {
    startDate: date(period.start),
    endDate: date(Math.max(period.start, period.end - 1)),
  };
}

/** Days as numbers like 20261121, inclusive. */
export interface DayRange {
  first: number;
  last: number;
}

/** A part of one day. */
export interface DayPart extends Period {
  /** The day's number. */
  day: number;
}

/** A period split into whole days, which rollups cover, and the rest. */
export interface SplitPeriod extends Period {
  /** The days that lie completely within the period. */
  whole?: DayRange;
  /** Every day that overlaps the period; undefined for an empty period. */
  touched?: DayRange;
  /** The partial days at either end. */
  edges: DayPart[];
}

function numberOf(day: DateTime): number {
  return day.year * 10_000 + day.month * 100 + day.day;
}

/** Returns the number of the day, in the zone, that contains a moment. */
export function dayOf(moment: number, timeZone: string): number {
  return numberOf(DateTime.fromMillis(moment, { zone: timeZone }));
}

/** Splits a period at the zone's midnights, across changes of its offset. */
export function splitPeriod(period: Period, timeZone: string): SplitPeriod {
  const { start, end } = period;
  if (start >= end) {
    return { start, end, edges: [] };
  }
  const startDay = DateTime.fromMillis(start, { zone: timeZone }).startOf(
    'day',
  );
  const endDay = DateTime.fromMillis(end, { zone: timeZone }).startOf('day');
  const firstWhole =
    startDay.toMillis() === start ? startDay : startDay.plus({ days: 1 });
  const touched = {
    first: numberOf(startDay),
    last: dayOf(end - 1, timeZone),
  };
  if (firstWhole > endDay) {
    return { start, end, touched, edges: [{ start, end, day: touched.first }] };
  }
  const edges = [
    { start, end: firstWhole.toMillis(), day: touched.first },
    { start: endDay.toMillis(), end, day: touched.last },
  ].filter(edge => edge.start < edge.end);
  const whole =
    firstWhole < endDay
      ? {
          first: numberOf(firstWhole),
          last: dayOf(endDay.toMillis() - 1, timeZone),
        }
      : undefined;
  return { start, end, whole, touched, edges };
}

/** Splits a range into whole months (numbers like 202611) and the remaining days. */
export function wholeMonths(range: DayRange): {
  months?: DayRange;
  days: DayRange[];
} {
  const toDate = (day: number) =>
    DateTime.utc(
      Math.floor(day / 10_000),
      Math.floor(day / 100) % 100,
      day % 100,
    );
  const first = toDate(range.first);
  const last = toDate(range.last);
  const from =
    first.day === 1 ? first : first.startOf('month').plus({ months: 1 });
  const to =
    numberOf(last.endOf('month')) === range.last
      ? last
      : last.startOf('month').minus({ days: 1 });
  if (from > to) {
    return { days: [range] };
  }
  const months = {
    first: Math.floor(numberOf(from) / 100),
    last: Math.floor(numberOf(to) / 100),
  };
  const days = [
    { first: range.first, last: numberOf(from.minus({ days: 1 })) },
    { first: numberOf(to.plus({ days: 1 })), last: range.last },
  ].filter(part => part.first <= part.last);
  return { months, days };
}

const MAX_BUCKETS = 1_000;

/** One day, week or month, clipped to a period. */
export interface SeriesBucket extends SplitPeriod, DoraPeriod {
  /** True if the period clips it. */
  partial: boolean;
}

/**
 * Splits a period into the days, ISO weeks or months of the zone.
 *
 * Zone lookups dominate the cost of a thousand buckets, so dates are computed by calendar
 * arithmetic, and only the moment at which each bucket starts is looked up in the zone.
 *
 * @throws InputError if the result has more than a thousand buckets.
 */
export function seriesBuckets(
  period: Period,
  interval: SeriesInterval,
  timeZone: string,
): SeriesBucket[] {
  const buckets: SeriesBucket[] = [];
  if (period.start >= period.end) {
    return buckets;
  }
  const zone = Info.normalizeZone(timeZone);
  const from = DateTime.fromMillis(period.start, { zone }).startOf(interval);
  let date = new Date(0).setUTCFullYear(from.year, from.month - 1, from.day);
  let begin = startOfDate(date, zone);
  while (begin < period.end) {
    if (buckets.length === MAX_BUCKETS) {
      throw new InputError(
        `interval: the period has more than ${MAX_BUCKETS} ${interval}s`,
      );
    }
    const nextDate = addInterval(date, interval);
    const next = startOfDate(nextDate, zone);
    const start = Math.max(begin, period.start);
    const end = Math.min(next, period.end);
    const cut = { start, end };
    if (start > begin || end < next) {
      buckets.push({ ...cutBucket(cut, timeZone), partial: true });
    } else if (start < end) {
      // Some islands skipped a day when they moved across the date line.
      const lastDate = nextDate - DAY_MS;
      buckets.push({ ...wholeBucket(cut, date, lastDate), partial: false });
    }
    date = nextDate;
    begin = next;
  }
  return buckets;
}

function cutBucket(cut: Period, timeZone: string) {
  return { ...splitPeriod(cut, timeZone), ...toDoraPeriod(cut, timeZone) };
}

/**
 * Returns a bucket of whole dates.
 *
 * @param first - midnight in UTC of the first date; the same applies to `last`.
 */
function wholeBucket(period: Period, first: number, last: number) {
  const startDate = new Date(first).toISOString().slice(0, 10);
  const endDate = new Date(last).toISOString().slice(0, 10);
  const days = {
    first: Number(startDate.replaceAll('-', '')),
    last: Number(endDate.replaceAll('-', '')),
  };
  const split = { ...period, whole: days, touched: days, edges: [] };
  return { ...split, startDate, endDate };
}

function addInterval(date: number, interval: SeriesInterval): number {
  if (interval === 'month') {
    const day = new Date(date);
    return day.setUTCMonth(day.getUTCMonth() + 1);
  }
  return date + (interval === 'week' ? 7 : 1) * DAY_MS;
}

/**
 * Returns the moment at which a date begins in a zone: the first midnight if clocks go back
 * across it, and the moment after the gap if they go forward across it.
 *
 * @param date - midnight of that date in UTC.
 */
function startOfDate(date: number, zone: Zone): number {
  const midnights = [
    zone.offset(date - DAY_MS),
    zone.offset(date + DAY_MS),
  ].map(offset => date - Math.round(offset * MINUTE_MS));
  const first = Math.min(...midnights);
  const last = Math.max(...midnights);
  if (first === last) {
    return first;
  }
  const found = [first, last].find(
    midnight =>
      midnight + Math.round(zone.offset(midnight) * MINUTE_MS) === date,
  );
  return found ?? DateTime.fromMillis(last, { zone }).startOf('day').toMillis();
}
