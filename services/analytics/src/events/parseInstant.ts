const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Milliseconds of the first moment after those that every store can keep: 2106-01-01. */
export const END_OF_TIME = Date.UTC(2106, 0, 1);

/**
 * Reads an ISO 8601 date or time; UTC where it names no zone.
 *
 * @returns milliseconds since the Unix epoch; undefined when it is none, or outside of
 *   1970 to 2105.
 */
export function parseInstant(text: string): number | undefined {
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
  const instant = Date.parse(`${date}T${clock}${offset}`) + milliseconds;
  const isDay = isDayOfCalendar(Number(year), Number(month), Number(day));
  return isDay && instant >= 0 && instant < END_OF_TIME ? instant : undefined;
}

/** `Date.parse` takes 30 February for 2 March. */
function isDayOfCalendar(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
