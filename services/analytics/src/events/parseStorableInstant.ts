import { parseInstant } from '@slipway/service-kit';

/** Milliseconds of the first moment after those that every store can keep: 2106-01-01. */
export const END_OF_TIME = Date.UTC(2106, 0, 1);

/**
 * Reads an ISO 8601 date or time that every store can keep; UTC where it names no zone.
 *
 * @returns milliseconds since the Unix epoch; undefined when it is none, or outside of
 *   1970 to 2105.
 */
export function parseStorableInstant(text: string): number | undefined {
  const instant = parseInstant(text);
  return instant !== undefined && instant >= 0 && instant < END_OF_TIME
    ? instant
    : undefined;
}
