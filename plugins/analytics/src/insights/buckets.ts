import type { InsightQuery } from '../api/InsightQuery';

/** The period of a query, and the unit of its intervals. */
export type PeriodQuery = Pick<InsightQuery, 'dateRange' | 'interval'>;

/**
 * Converts a local time, such as the start of an interval, to milliseconds. Only differences between
 * two results are meaningful; they may be off by an hour if clocks change in between.
 */
export function momentOf(local: string): number {
  return Date.parse(
    `${local.replace(' ', 'T')}${local.length > 10 ? 'Z' : ''}`,
  );
}

/**
 * Returns the end of an interval, in the milliseconds of {@link momentOf}.
 *
 * @param start - the local time at which it starts.
 * @param unit - `hour`, `day`, `week` or `month`.
 */
export function endOf(start: string, unit: string): number {
  const date = new Date(momentOf(start));
  switch (unit) {
    case 'hour':
      return date.setUTCHours(date.getUTCHours() + 1);
    case 'week':
      return date.setUTCDate(date.getUTCDate() + 7);
    case 'month':
      return date.setUTCMonth(date.getUTCMonth() + 1);
    default:
      return date.setUTCDate(date.getUTCDate() + 1);
  }
}

/**
 * Returns the index of the first of several consecutive intervals that is not over yet; -1 if all are
 * over. The numbers of this interval and of those after it may still grow.
 *
 * @param starts - the local times at which the intervals start.
 * @param options.unit - `hour`, `day`, `week` or `month`.
 * @param options.now - the current local time.
 */
export function firstRunning(
  starts: readonly string[],
  options: { unit: string; now: string },
): number {
  const now = momentOf(options.now);
  return starts.findIndex((start, index) => {
    const next = starts[index + 1];
    // The start of the next interval, because an hour that occurs twice when clocks are set back
    // ends when it begins again.
    return (
      (next === undefined ? endOf(start, options.unit) : momentOf(next)) > now
    );
  });
}

const DATE = /^\d{4}-\d{2}-\d{2}/;
const OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Returns the end of a query's period, in the milliseconds of {@link momentOf}: the end of its last
 * day, or of its last interval if intervals are hours or `date_to` is relative. Infinity if the period
 * lasts until now.
 *
 * @param lastStart - the local time at which the last interval starts.
 * @param localTimes - formats times in the project's zone.
 */
export function periodEndOf(
  { dateRange = {}, interval = 'day' }: PeriodQuery,
  lastStart: string,
  localTimes: Intl.DateTimeFormat,
): number {
  const { date_to: text } = dateRange;
  if (!text) {
    return Infinity;
  }
  // Programs may send a time with a different offset from the project's.
  const local = OFFSET.test(text) ? localTimes.format(Date.parse(text)) : text;
  const [day] = (interval !== 'hour' && DATE.exec(local)) || [];
  // For hours and relative dates, the period ends with the last interval.
  return day === undefined ? endOf(lastStart, interval) : endOf(day, 'day');
}
