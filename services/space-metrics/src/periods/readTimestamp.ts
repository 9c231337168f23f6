import { InvalidRequestError, parseInstant } from '@slipway/service-kit';

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
  const ms = parseInstant(text);
  if (ms === undefined) {
    throw new InvalidRequestError(`${field} must be an ISO 8601 timestamp`, {
      field,
      constraint: 'format',
    });
  }
  if (ms < EARLIEST || ms > now.getTime() + SKEW_MS) {
    throw new InvalidRequestError(
      `${field} must lie between the year 2000 and tomorrow`,
      { field, constraint: ms < EARLIEST ? 'minimum' : 'maximum' },
    );
  }
  return ms;
}
