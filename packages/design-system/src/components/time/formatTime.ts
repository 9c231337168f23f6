const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * Formats a relative time: "5 minutes ago", "in 2 hours", "yesterday"; within 45 seconds "just
 * now". Times in milliseconds.
 */
export function formatRelative(time: number, now: number): string {
  const difference = time - now;
  const size = Math.abs(difference);
  if (size < 45 * SECOND) {
    return 'just now';
  }
  for (const [unit, length] of UNITS) {
    if (size >= length) {
      return relative.format(Math.trunc(difference / length), unit);
    }
  }
  return relative.format(Math.sign(difference), 'minute');
}

/** Formats date, time and the user's time zone, e.g. "21 Nov 2026, 10:00:00 UTC". */
export function formatAbsolute(time: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(time);
}

/** Formats milliseconds: "0.4 s", "12 s", "1 min 12 s", "2 h 5 min", "3 d 4 h". */
export function formatDuration(milliseconds: number): string {
  const size = Math.max(0, milliseconds);
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
