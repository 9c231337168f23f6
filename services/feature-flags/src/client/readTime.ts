import { InvalidRequestError } from '@slipway/service-kit';

/**
 * Reads a time of RFC 3339 that a schema has let in. A leap second is the one before it:
 * clocks of computers have none.
 *
 * @param field - of the request, for the error.
 * @returns milliseconds since the Unix epoch.
 * @throws InvalidRequestError where no such time can be counted.
 */
export function readTime(text: string, field: string): number {
  const time = Date.parse(text.replace(':60', ':59'));
  if (Number.isNaN(time)) {
    throw new InvalidRequestError(
      `${field} must be a time as 2026-11-21T10:00:00Z`,
      {
        field,
        constraint: 'format',
      },
    );
  }
  return time;
}
