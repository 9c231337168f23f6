import { InvalidRequestError } from '@slipway/service-kit';
import { DateTime } from 'luxon';

const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

/**
 * Reads a time that a client gives, in UTC where it names no zone.
 *
 * @returns milliseconds since 1970; undefined for none.
 * @throws InvalidRequestError when it is no ISO 8601.
 */
export function readMoment(
  text: string | undefined,
  field: string,
): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const instant = DateTime.fromISO(text, { zone: 'utc' });
  const milliseconds = instant.toMillis();
  if (
    !/^\d{4}-\d{2}-\d{2}/.test(text) ||
    !instant.isValid ||
    milliseconds < EARLIEST ||
    milliseconds > LATEST
  ) {
    throw new InvalidRequestError(`${field} must be an ISO 8601 timestamp`, {
      field,
      constraint: 'format',
    });
  }
  return milliseconds;
}
