import { parseInstant } from '@slipway/entity-contract';
import { Type } from 'typebox';

/**
 * Returns the time of a string that a schema validated as a `Timestamp`.
 *
 * @throws RangeError if it is invalid.
 */
export function instantOf(timestamp: string): number {
  const instant = parseInstant(timestamp);
  if (instant === undefined) {
    throw new RangeError('Not an ISO 8601 timestamp');
  }
  return instant;
}

/** A point in time as clients send it: ISO 8601, parsed by `parseInstant`. */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 64 });
