const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MONTH = 30 * DAY;
const YEAR = 365 * DAY;

/** Writes "yesterday" and "tomorrow", which are days of the calendar. */
const byCalendar = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const byLength = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * Formats a relative time: "5 minutes ago", "in 2 hours", "yesterday"; within 45 seconds "just
 * now". Between a day and a month it counts days of the user's calendar: 47 hours ago is "yesterday"
 * or "2 days ago". Times in milliseconds.
 */
export function formatRelative(time: number, now: number): string {
  const difference = time - now;
  const size = Math.abs(difference);
  if (size < 45 * SECOND) {
    return 'just now';
  }
  if (size >= DAY && size < MONTH) {
    return byCalendar.format(dayNumber(time) - dayNumber(now), 'day');
  }
  const inUnits = (length: number, unit: Intl.RelativeTimeFormatUnit) =>
    // 45 seconds and more are a minute.
    byLength.format(
      Math.trunc(difference / length) || Math.sign(difference),
      unit,
    );
  if (size < HOUR) {
    return inUnits(MINUTE, 'minute');
  }
  if (size < DAY) {
    return inUnits(HOUR, 'hour');
  }
  return size < YEAR ? inUnits(MONTH, 'month') : inUnits(YEAR, 'year');
}

/** Returns the number of a day in the user's calendar; only differences are meaningful. */
function dayNumber(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY;
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
});
const clockWithSeconds = new Intl.DateTimeFormat('en-GB', {
  timeStyle: 'medium',
});
const clockWithDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/**
 * Formats a time of day in the user's time zone: "14:05", or "14:05:30" with seconds.
 *
 * @param time - in milliseconds.
 */
export function formatClock(
  time: number,
  options: { seconds?: boolean } = {},
): string {
  return (options.seconds ? clockWithSeconds : clock).format(time);
}

/** Formats a time near `now`: "14:05", or "24 Dec, 14:05" on another day. Times in milliseconds. */
export function formatMoment(time: number, now = Date.now()): string {
  return dayNumber(time) === dayNumber(now)
    ? formatClock(time)
    : clockWithDay.format(time);
}

const absolute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** Formats date, time and the user's time zone, e.g. "21 Nov 2026, 10:00:00 UTC". */
export function formatAbsolute(time: number): string {
  return absolute.format(time);
}

/** Formats milliseconds: "40 ms", "0.4 s", "12 s", "1 min 12 s", "2 h 5 min", "3 d 4 h". */
export function formatDuration(milliseconds: number): string {
  const size = Math.max(0, milliseconds);
  if (size >= 1 && size < 100) {
    return `${Math.floor(size)} ms`;
  }
  if (size < 10 * SECOND) {
    return `${(Math.floor(size / 100) / 10).toFixed(1)} s`;
  }
  const pair = (
    large: number,
    largeUnit: string,
    small: number,
    unit: string,
  ) => {
    const rest = Math.floor((size % large) / small);
    const whole = `${Math.floor(size / large)} ${largeUnit}`;
    return rest === 0 ? whole : `${whole} ${rest} ${unit}`;
  };
  if (size < MINUTE) {
    return `${Math.floor(size / SECOND)} s`;
  }
  if (size < HOUR) {
    return pair(MINUTE, 'min', SECOND, 's');
  }
  return size < DAY
    ? pair(HOUR, 'h', MINUTE, 'min')
    : pair(DAY, 'd', HOUR, 'h');
}

/** Formats a time as the value of a `datetime-local` field, in the user's zone, to the minute. */
export function localTime(time: Date): string {
  const zone = time.getTimezoneOffset() * 60_000;
  return new Date(time.getTime() - zone).toISOString().slice(0, 16);
}

/** Parses the value of a `datetime-local` field; returns undefined if it is empty. */
export function readLocalTime(value: string): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
