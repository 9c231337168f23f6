import type { LocalDay } from './LocalDay.ts';

/** 1970-01-05, a Monday: cycles of weeks begin on Mondays. */
const FIRST_CYCLE: LocalDay = 4;

/** Days of a cycle of everything but the pulse survey, which has a cadence of its own. */
export const WEEK = 7;

/** The days of one cycle, half-open: `start` belongs to it, `end` does not. */
export interface Cycle {
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
