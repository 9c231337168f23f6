import { InvalidRequestError } from '@slipway/service-kit';
import type { EventsPlan } from './language/EventsPlan.ts';
import type { EventsQuery } from './schemas.ts';
import { parseStorableInstant } from '../events/AnalyticsEvent.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Reads the ends of a query: both exclusive, the last 24 hours where it does not say.
 *
 * @param now - milliseconds since the Unix epoch.
 * @throws InvalidRequestError naming the end that is at fault.
 */
export function readPeriod(
  query: EventsQuery,
  now: number,
): Pick<EventsPlan, 'after' | 'before'> {
  const after =
    query.after === undefined
      ? now - DAY_MS
      : readQueryDate(query.after, { field: 'query.after', now });
  const before =
    query.before === undefined
      ? // What arrived within this very millisecond is not of the future.
        now + 1
      : readQueryDate(query.before, {
          field: 'query.before',
          now,
          isEnd: true,
        });
  if (before === undefined) {
    throw new InvalidRequestError('query.before must be a date or a time', {
      field: 'query.before',
      constraint: 'format',
    });
  }
  // Left to itself, the start follows an end that lies further back.
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

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const RELATIVE =
  /^(?:(?<sign>[+-]?)(?<count>\d{1,6}))?(?<unit>[hdwmqyMs])(?<edge>Start|End)?$/;

/**
 * Reads an end of a queried period: a date, a time, `all`, or one relative to now, as
 * PostHog writes them (`-7d`, `-24h`, `mStart`; `m` are months and `M` minutes). UTC.
 *
 * @param options.isEnd - whether a date without a time includes that whole day.
 * @returns milliseconds since the Unix epoch; undefined for `all`.
 * @throws InvalidRequestError where it is none of these.
 */
export function readQueryDate(
  text: string,
  options: { field: string; now: number; isEnd?: boolean },
): number | undefined {
  const { field, now, isEnd = false } = options;
  if (text === 'all') {
    return undefined;
  }
  const instant = parseStorableInstant(text) ?? relative(text, now);
  // Steps may lead out of what a Date can hold.
  if (instant === undefined || Number.isNaN(instant)) {
    throw new InvalidRequestError(
      `${field} must be a date, a time, or relative as -7d`,
      { field, constraint: 'format' },
    );
  }
  return isEnd && DATE.test(text) ? instant + DAY_MS : instant;
}

function relative(text: string, now: number): number | undefined {
  const { sign, count, unit, edge } = RELATIVE.exec(text)?.groups ?? {};
  if (unit === undefined || (count === undefined && edge === undefined)) {
    return undefined;
  }
  const steps = Number(count ?? 0) * (sign === '+' ? 1 : -1);
  const moved = move(new Date(now), unit, steps);
  if (edge === undefined) {
    return moved.getTime();
  }
  const start = startOf(moved, unit);
  return edge === 'Start' ? start.getTime() : move(start, unit, 1).getTime();
}

/** A date some units later, or earlier; `m` are months and `M` minutes. */
export function move(date: Date, unit: string, steps: number): Date {
  const moved = new Date(date);
  switch (unit) {
    case 's':
      moved.setUTCSeconds(moved.getUTCSeconds() + steps);
      break;
    case 'M':
      moved.setUTCMinutes(moved.getUTCMinutes() + steps);
      break;
    case 'h':
      moved.setUTCHours(moved.getUTCHours() + steps);
      break;
    case 'd':
      moved.setUTCDate(moved.getUTCDate() + steps);
      break;
    case 'w':
      moved.setUTCDate(moved.getUTCDate() + 7 * steps);
      break;
    case 'q':
      return moveMonths(moved, 3 * steps);
    case 'y':
      return moveMonths(moved, 12 * steps);
    default:
      return moveMonths(moved, steps);
  }
  return moved;
}

/** A month after 31 January is the last day of February. */
function moveMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(
    Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0),
  ).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return moved;
}

/** The start of the unit that a date is in; weeks begin on Sunday. */
export function startOf(date: Date, unit: string): Date {
  const [year, month, day] = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
  ];
  switch (unit) {
    case 's':
      return new Date(Math.floor(date.getTime() / 1_000) * 1_000);
    case 'M':
      return new Date(Math.floor(date.getTime() / 60_000) * 60_000);
    case 'h':
      return new Date(Math.floor(date.getTime() / 3_600_000) * 3_600_000);
    case 'd':
      return new Date(Date.UTC(year, month, day));
    case 'w':
      return new Date(Date.UTC(year, month, day - date.getUTCDay()));
    case 'q':
      return new Date(Date.UTC(year, month - (month % 3), 1));
    case 'y':
      return new Date(Date.UTC(year, 0, 1));
    default:
      return new Date(Date.UTC(year, month, 1));
  }
}
