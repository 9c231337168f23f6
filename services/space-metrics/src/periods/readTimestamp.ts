import { InvalidRequestError } from '@slipway/service-kit';
import { DateTime } from 'luxon';

const EARLIEST = Date.UTC(2000, 0, 1);
/** Clocks differ, and a date line may lie between. */
const SKEW_MS = 24 * 3_600_000;

/**
 * Reads the time of a submission; absent means now. Without an offset it is UTC.
 *
 * @returns milliseconds since 1970.
 * @throws InvalidRequestError when it is no ISO 8601, before 2000 or more than a day ahead.
 */
export function readTimestamp(
  text: string | undefined,
  options: { now: Date; field?: string },
): number {
  const { now, field = 'timestamp' } = options;
  if (text === undefined) {
    return now.getTime();
  }
  const instant = DateTime.fromISO(text, { zone: 'utc' });
  if (!instant.isValid || !/^\d{4}-?\d{2}-?\d{2}/.test(text)) {
    throw new InvalidRequestError(`${field} must be an ISO 8601 timestamp`, {
      field,
      constraint: 'format',
    });
  }
  const ms = instant.toMillis();
  if (ms < EARLIEST || ms > now.getTime() + SKEW_MS) {
    throw new InvalidRequestError(
      `${field} must lie between the year 2000 and tomorrow`,
      { field, constraint: ms < EARLIEST ? 'minimum' : 'maximum' },
    );
  }
  return ms;
}
