import { InvalidRequestError } from '@slipway/service-kit';
import type { EventsSource } from './language/Expression.ts';
import { isDateText, readMoment } from './time/moments.ts';
import { type Calendar, move, startOf, type Unit } from './time/zones.ts';

const DAY_MS = 24 * 3_600_000;

/** The time of a query, and the calendar that determines when its days begin. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly calendar: Calendar;
}

/**
 * Parses the bounds of a query, both exclusive; the default is the last 24 hours.
 * @throws InvalidRequestError naming the invalid bound.
 */
export function readPeriod(
  query: { after?: string; before?: string },
  clock: Clock,
): Pick<EventsSource, 'after'> & { before: number } {
  const { now } = clock;
  const after =
    query.after === undefined
      ? now - DAY_MS
      : readQueryDate(query.after, { ...clock, field: 'query.after' });
  const before =
    query.before === undefined
      ? // Include events that arrived within the current millisecond.
        now + 1
      : readQueryDate(query.before, {
          ...clock,
          field: 'query.before',
          isEnd: true,
        });
  if (before === undefined) {
    throw new InvalidRequestError('query.before must be a date or a time', {
      field: 'query.before',
      constraint: 'format',
    });
  }
  // If the end is in the past, the default start is relative to it.
  const start =
    query.after === undefined && after !== undefined && after >= before
      ? before - DAY_MS
      : after;
  if (start !== undefined && start > before) {
    throw new InvalidRequestError('query.after is later than query.before', {
      field: 'query.after',
      constraint: 'maximum',
    });
  }
  return { before, ...(start !== undefined && { after: start }) };
}

const RELATIVE =
  /^(?:(?<sign>[+-]?)(?<count>\d{1,6}))?(?<unit>[hdwmqyMs])(?<edge>Start|End)?$/;

const UNITS: Readonly<Record<string, Unit>> = {
  s: 'second',
  M: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
};

/**
 * Parses a bound of a query's period: a date, a time, `all`, or a relative one as in
 * PostHog (`-7d`, `-24h`, `mStart`; `m` stands for months and `M` for minutes).
 * @param options.isEnd - true if a date without a time includes the whole day.
 * @returns milliseconds since the Unix epoch; undefined for `all`.
 * @throws InvalidRequestError if it is none of these.
 */
export function readQueryDate(
  text: string,
  options: Clock & { field: string; isEnd?: boolean },
): number | undefined {
  const { field, calendar, isEnd = false } = options;
  const { zone } = calendar;
  if (text === 'all') {
    return undefined;
  }
  const instant = readMoment(text, zone) ?? relative(text, options);
  // Relative steps may exceed the range of a Date.
  if (instant === undefined || !Number.isFinite(instant)) {
    throw new InvalidRequestError(
      `${field} must be a date, a time, or relative, such as -7d`,
      { field, constraint: 'format' },
    );
  }
  return isEnd && isDateText(text)
    ? move(instant, 'day', { steps: 1, zone })
    : instant;
}

function relative(text: string, { now, calendar }: Clock): number | undefined {
  const { sign, count, unit, edge } = RELATIVE.exec(text)?.groups ?? {};
  if (unit === undefined || (count === undefined && edge === undefined)) {
    return undefined;
  }
  const { zone } = calendar;
  const name = UNITS[unit];
  const steps = Number(count ?? 0) * (sign === '+' ? 1 : -1);
  const moved = safely(() => move(now, name, { steps, zone }));
  if (edge === undefined || !Number.isFinite(moved)) {
    return moved;
  }
  const start = startOf(moved, name, calendar);
  return edge === 'Start' ? start : move(start, name, { steps: 1, zone });
}

/** Runs a computation of a time; returns NaN if it leaves the range of dates that can be formatted. */
function safely(work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) {
      return Number.NaN;
    }
    throw error;
  }
}
