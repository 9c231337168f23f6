import { isTime, localOf } from '../../query/time/zones.ts';

const DAY_MS = 86_400_000;

/** Returns a part of a time in a zone, such as its hour or ISO week. */
export function partOf(instant: number, part: string, zone: string): number {
  const date = new Date(localOf(zone, instant));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const weekday = date.getUTCDay() || 7;
  switch (part) {
    case 'year':
      return year;
    case 'quarter':
      return Math.ceil(month / 3);
    case 'month':
      return month;
    case 'isoWeek': {
      // ISO weeks belong to the year of their Thursday.
      const thursday = new Date(date.getTime() + (4 - weekday) * DAY_MS);
      const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
      return Math.floor((thursday.getTime() - first) / DAY_MS / 7) + 1;
    }
    case 'day':
      return date.getUTCDate();
    case 'weekday':
      return weekday;
    case 'dayOfYear':
      return Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / DAY_MS) + 1;
    case 'hour':
      return date.getUTCHours();
    case 'minute':
      return date.getUTCMinutes();
    case 'second':
      return date.getUTCSeconds();
    case 'yearMonth':
      return year * 100 + month;
    default:
      return year * 10_000 + month * 100 + date.getUTCDate();
  }
}

/**
 * Formats a time in a zone, with ClickHouse's specifiers such as `%Y` for the year. Returns
 * null if no date can represent the time.
 */
export function formatTime(
  instant: number,
  format: string,
  zone: string,
): string | null {
  if (!isTime(instant)) {
    return null;
  }
  const iso = new Date(localOf(zone, instant)).toISOString();
  const written: Readonly<Record<string, string>> = {
    Y: iso.slice(0, 4),
    y: iso.slice(2, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    i: iso.slice(14, 16),
    S: iso.slice(17, 19),
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    j: String(partOf(instant, 'dayOfYear', zone)).padStart(3, '0'),
    u: String(partOf(instant, 'weekday', zone)),
    '%': '%',
  };
  return format.replace(/%(.)/g, (_all, letter) => written[letter] ?? '');
}
