const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The format of `toISOString`, which most clients send. */
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Every month has this day. */
const SURE_DAY = '28';

/**
 * Parses an ISO 8601 date or time; UTC if it has no time zone.
 *
 * @returns milliseconds since the Unix epoch; undefined if invalid.
 */
export function parseInstant(text: string): number | undefined {
  if (CANONICAL.test(text) && text.slice(8, 10) <= SURE_DAY) {
    const instant = Date.parse(text);
    return Number.isNaN(instant) ? undefined : instant;
  }
  const match = ISO.exec(text);
  if (!match) {
    return undefined;
  }
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match;
  const [, , , , , , , fraction = '', zone = 'Z'] = match;
  const date = `${year}-${month}-${day}`;
  const clock = `${hour}:${minute}:${second}`;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const offset = /^[+-]\d{4}$/.test(zone)
    ? `${zone.slice(0, 3)}:${zone.slice(3)}`
    : zone;
  const instant =
    Date.parse(`${date}T${clock}${offset.toUpperCase()}`) + milliseconds;
  const isDay = isDayOfCalendar(Number(year), Number(month), Number(day));
  // NaN for leap seconds, although RFC 3339 allows them.
  return isDay && !Number.isNaN(instant) ? instant : undefined;
}

/** Checks that a day exists: `Date.parse` turns 30 February into 2 March. */
function isDayOfCalendar(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
