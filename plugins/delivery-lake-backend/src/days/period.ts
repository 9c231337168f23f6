import { InputError } from '@backstage/errors';
import {
  DoraPeriod,
  SeriesInterval,
} from '@slipway/plugin-delivery-lake-common';
import { DateTime } from 'luxon';

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

const MAX_BUCKETS = 1_000;

/** One day, week or month, cut to a period. */
interface SeriesBucket extends Period {
  /** It was cut. */
  partial: boolean;
}

/**
 * Cuts a period at the days, ISO weeks or months of the zone.
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
  let begin = DateTime.fromMillis(period.start, { zone: timeZone }).startOf(
    interval,
  );
  while (begin.toMillis() < period.end) {
    if (buckets.length === MAX_BUCKETS) {
      throw new InputError(
        `interval: the period has more than ${MAX_BUCKETS} of a ${interval}`,
      );
    }
    const next = begin.plus({ [interval]: 1 }).startOf(interval);
    const start = Math.max(begin.toMillis(), period.start);
    const end = Math.min(next.toMillis(), period.end);
    const partial = start > begin.toMillis() || end < next.toMillis();
    buckets.push({ start, end, partial });
    begin = next;
  }
  return buckets;
}
