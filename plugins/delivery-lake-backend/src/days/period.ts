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
  // A plus sign that was not escaped arrives as a space.
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
 * The period that a query asks for. A date is a day of the zone, an end date
 * includes it; a timestamp is taken as it is, without an offset in the zone.
 * Default: from 30 days ago (before the end, should that lie further back) to
 * the end of today.
 *
 * @throws InputError naming the parameter at fault.
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
  // What starts when the last day is over starts after it.
  if (endsWithDay ? start.toMillis() >= end : start.toMillis() > end) {
    throw new InputError('startDate: must not be after endDate');
  }
  return { start: start.toMillis(), end };
}

/** The period of equal length, to the millisecond, straight before another. */
export function previousPeriod(period: Period): Period {
  return { start: 2 * period.start - period.end, end: period.start };
}

/** First and last day of a period, inclusive, as answers give it. */
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

/** A period as the rollups can answer it. */
export interface SplitPeriod extends Period {
  /** The days that lie in the period from beginning to end. */
  whole?: DayRange;
  /** Every day that the period touches; undefined for a period of no length. */
  touched?: DayRange;
  /** What is left at either end. */
  edges: DayPart[];
}

function numberOf(day: DateTime): number {
  return day.year * 10_000 + day.month * 100 + day.day;
}

/** Number of the day, in the zone, that a moment lies in. */
export function dayOf(moment: number, timeZone: string): number {
  return numberOf(DateTime.fromMillis(moment, { zone: timeZone }));
}

/** Cuts a period at the midnights of the zone, wherever its clocks stand then. */
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

/** What a range consists of: whole months (numbers like 202611) and the days beside them. */
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

/** One day, week or month, cut to a period. */
export interface SeriesBucket extends SplitPeriod, DoraPeriod {
  /** It was cut. */
  partial: boolean;
}

/**
 * Cuts a period at the days, ISO weeks or months of the zone.
 *
 * Asking the zone is what a thousand of them cost, so dates are counted by the calendar
 * alone, and the zone says only when they begin.
 *
 * @throws InputError when that gives more than a thousand.
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
        `interval: the period has more than ${MAX_BUCKETS} of a ${interval}`,
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
      // Islands that moved over the date line have left a day out.
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

/** @param first - midnight in UTC of the first date; `last` likewise. */
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
 * The moment in which a date begins in a zone: where the clocks go back over midnight
 * the first one, where they go forward over it the moment after.
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
