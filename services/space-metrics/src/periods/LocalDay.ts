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
