import { Type } from 'typebox';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads an ISO 8601 date or time; UTC where it names no zone.
 *
 * @returns milliseconds since the Unix epoch; undefined when it is none.
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
  const instant =
    Date.parse(`${date}T${clock}${offset.toUpperCase()}`) + milliseconds;
  const isDay = isDayOfCalendar(Number(year), Number(month), Number(day));
  // Nor has it leap seconds, which RFC 3339 knows.
  return isDay && !Number.isNaN(instant) ? instant : undefined;
}

/**
 * The time that a text says which a schema took for a `Timestamp`.
 *
 * @throws RangeError where it is none.
 */
export function instantOf(timestamp: string): number {
  const instant = parseInstant(timestamp);
  if (instant === undefined) {
    throw new RangeError('Not an ISO 8601 timestamp');
  }
  return instant;
}

/** `Date.parse` takes 30 February for 2 March. */
function isDayOfCalendar(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A point in time as clients send it: ISO 8601, which `parseInstant` reads. */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 64 });
