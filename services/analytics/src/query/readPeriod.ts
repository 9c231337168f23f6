import { InvalidRequestError } from '@slipway/service-kit';
import type { EventsPlan } from './EventsPlan.ts';
import { readQueryDate } from './readQueryDate.ts';
import type { EventsQuery } from './schemas.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Reads the ends of a query: both exclusive, the last 24 hours where it does not say.
 *
 * @param now - milliseconds since the Unix epoch.
 * @throws InvalidRequestError naming the end that is at fault.
 */
export function readPeriod(
  query: EventsQuery,
  now: number,
): Pick<EventsPlan, 'after' | 'before'> {
  const after =
    query.after === undefined
      ? now - DAY_MS
      : readQueryDate(query.after, { field: 'query.after', now });
  const before =
    query.before === undefined
      ? // What arrived within this very millisecond is not of the future.
        now + 1
      : readQueryDate(query.before, {
          field: 'query.before',
          now,
          isEnd: true,
        });
  if (before === undefined) {
    throw new InvalidRequestError('query.before must be a date or a time', {
      field: 'query.before',
      constraint: 'format',
    });
  }
  // Left to itself, the start follows an end that lies further back.
  const start =
    query.after === undefined && after !== undefined && after >= before
      ? before - DAY_MS
      : after;
  if (start !== undefined && start > before) {
    throw new InvalidRequestError('query.after is later than query.before', {
      field: 'query.after',
      constraint: 'maximum',
    });
  }
  return { before, ...(start !== undefined && { after: start }) };
}
