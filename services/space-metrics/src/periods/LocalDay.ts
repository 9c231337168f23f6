import { DateTime } from 'luxon';

/**
 * A day of the reporting zone, as days since 1970-01-01 of its calendar. A local day
 * is a day, whether its clock ran 23, 24 or 25 hours.
 */
export type LocalDay = number;

const DAY_MS = 86_400_000;

/** The day on which an instant (milliseconds since 1970) falls in a named zone. */
export function localDayOf(instant: number, timeZone: string): LocalDay {
  const offset =
    timeZone === 'UTC'
      ? 0
      : DateTime.fromMillis(instant, { zone: timeZone }).offset;
  return Math.floor((instant + offset * 60_000) / DAY_MS);
}

/** `YYYY-MM-DD`. */
export function formatDay(day: LocalDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: LocalDay): number {
  // 1970-01-01 was a Thursday.
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** The first day of the month after that of `day`. */
export function startOfNextMonth(day: LocalDay): LocalDay {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
}

/** 1970-01-05, a Monday: cycles of weeks begin on Mondays. */
const FIRST_CYCLE: LocalDay = 4;

/** Days of a cycle of everything but the pulse survey, which has a cadence of its own. */
export const WEEK = 7;

/** The days of one cycle, half-open: `start` belongs to it, `end` does not. */
interface Cycle {
  readonly start: LocalDay;
  readonly end: LocalDay;
}

/** The cycle that a day falls in. */
export function cycleOf(day: LocalDay, days: number): Cycle {
  const start = FIRST_CYCLE + Math.floor((day - FIRST_CYCLE) / days) * days;
  return { start, end: start + days };
}

/** The first day that no closed cycle holds: cycles close when their last day is over. */
export function closedUntil(today: LocalDay, days: number): LocalDay {
  return cycleOf(today, days).start;
}

/** How many closed weeks end within a period; numbers of a week count on its last day. */
export function closedWeeks(
  period: { start: LocalDay; end: LocalDay },
  today: LocalDay,
): number {
  const until = Math.min(period.end, closedUntil(today, WEEK));
  const mondaysBefore = (day: LocalDay) =>
    Math.floor((day - FIRST_CYCLE) / WEEK);
  return Math.max(0, mondaysBefore(until) - mondaysBefore(period.start));
}
