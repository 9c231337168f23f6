import { parseStorableInstant } from '../../events/AnalyticsEvent.ts';
import { instantOf } from './zones.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/** Checks whether a text is a date without a time. */
export function isDateText(text: string): boolean {
  return DATE.test(text);
}

/**
 * Parses a date or time. Without an offset, it is a local time of the zone.
 * @returns milliseconds since the Unix epoch; undefined if invalid.
 */
export function readMoment(text: string, zone: string): number | undefined {
  if (DATE.test(text)) {
    const date = parseStorableInstant(text);
    return date === undefined ? undefined : instantOf(zone, date);
  }
  if (WITHOUT_ZONE.test(text)) {
    const local = parseStorableInstant(`${text.replace(' ', 'T')}Z`);
    return local === undefined ? undefined : instantOf(zone, local);
  }
  return parseStorableInstant(text);
}
