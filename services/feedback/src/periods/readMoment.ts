import { InvalidRequestError } from '@slipway/service-kit';
import { DateTime } from 'luxon';

const EARLIEST = Date.parse('0001-01-01');
const LATEST = Date.parse('9999-12-31');

/**
 * Reads a date or a time that a client gives, in UTC where it names no zone.
 *
 * @returns milliseconds since 1970.
 * @throws InvalidRequestError when it is no ISO 8601.
 */
export function readMoment(text: string, field: string): number {
  const instant = DateTime.fromISO(text, { zone: 'utc' });
  const milliseconds = instant.toMillis();
  if (
    !/^\d{4}-\d{2}-\d{2}/.test(text) ||
    !instant.isValid ||
    milliseconds < EARLIEST ||
    milliseconds > LATEST
  ) {
    throw new InvalidRequestError(
      `${field} must be an ISO 8601 date or timestamp`,
      {
        field,
        constraint: 'format',
      },
    );
  }
  return milliseconds;
}
