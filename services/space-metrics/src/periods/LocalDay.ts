import { DateTime } from 'luxon';

/**
 * A day in the reporting time zone, as days since 1970-01-01. A local day counts as one day,
 * whether it has 23, 24 or 25 hours.
 */
export type LocalDay = number;

const DAY_MS = 86_400_000;

/** Returns the day of an instant (milliseconds since 1970) in a named time zone. */
export function localDayOf(instant: number, timeZone: string): LocalDay {
  const offset =
    timeZone === 'UTC'
      ? 0
      : DateTime.fromMillis(instant, { zone: timeZone }).offset;
  return Math.floor((instant + offset * 60_000) / DAY_MS);
}

/** Formats a day as `YYYY-MM-DD`. */
export function formatDay(day: LocalDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the instant (milliseconds since 1970) at which a day begins in a named time zone. */
export function startOf(day: LocalDay, timeZone: string): number {
  return DateTime.fromISO(formatDay(day), { zone: timeZone }).toMillis();
}

/** Returns 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: LocalDay): number {
  // 1970-01-01 was a Thursday.
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Returns the first day of the month after that of `day`. */
export function startOfNextMonth(day: LocalDay): LocalDay {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
}

/** 1970-01-05, a Monday: weekly cycles start on Mondays. */
const FIRST_CYCLE: LocalDay = 4;

/** Number of days in a cycle, except for the pulse survey, which has its own interval. */
export const WEEK = 7;

/** The days of a cycle, from `start` (inclusive) to `end` (exclusive). */
interface Cycle {
  readonly start: LocalDay;
  readonly end: LocalDay;
}

/** Returns the cycle that contains a day. */
export function cycleOf(day: LocalDay, days: number): Cycle {
  const start = FIRST_CYCLE + Math.floor((day - FIRST_CYCLE) / days) * days;
  return { start, end: start + days };
}

/** Returns the first day that is not in a closed cycle. A cycle closes after its last day. */
export function closedUntil(today: LocalDay, days: number): LocalDay {
  return cycleOf(today, days).start;
}

/**
 * Counts the closed weeks that end within a period; the numbers of a week count on its last day.
 */
export function closedWeeks(
  period: { start: LocalDay; end: LocalDay },
  today: LocalDay,
): number {
  const until = Math.min(period.end, closedUntil(today, WEEK));
  const mondaysBefore = (day: LocalDay) =>
    Math.floor((day - FIRST_CYCLE) / WEEK);
  return Math.max(0, mondaysBefore(until) - mondaysBefore(period.start));
}
