import { InvalidRequestError, parseInstant } from '@slipway/service-kit';
import { Type } from 'typebox';

/** From a point in time to another, half-open. Milliseconds since the Unix epoch. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** An end of a queried span, which {@link readSpan} reads. */
export const PeriodEnd = Type.String({
  maxLength: 64,
  description: 'ISO 8601 date or timestamp; UTC without a time zone.',
});

/** What a span is read from: a date, or a timestamp, each in ISO 8601. */
export interface SpanQuery {
  start_date?: string;
  end_date?: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 30;

/**
 * Reads the ends that a query gives. A date is a day of UTC, and as an end includes
 * that whole day.
 *
 * @throws InvalidRequestError naming the parameter.
 */
export function readSpan(query: SpanQuery): Partial<TimeSpan> {
  const start =
    query.start_date === undefined
      ? undefined
      : readEnd(query.start_date, 'start_date');
  const end =
    query.end_date === undefined
      ? undefined
      : readEnd(query.end_date, 'end_date') +
        (DATE.test(query.end_date) ? DAY_MS : 1);
  if (start !== undefined && end !== undefined && start >= end) {
    throw new InvalidRequestError('start_date must not be after end_date', {
      field: 'start_date',
      constraint: 'maximum',
    });
  }
  return {
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
}

/**
 * As {@link readSpan}; until now, and from 30 days before the end, where a query does not
 * say: from the start of that day where the end is a date.
 */
export function readWholeSpan(query: SpanQuery, now: number): TimeSpan {
  const { start, end = now + 1 } = readSpan(query);
  const last =
    query.end_date === undefined ? now : readEnd(query.end_date, 'end_date');
  const span = { start: start ?? last - DEFAULT_DAYS * DAY_MS, end };
  if (span.start >= span.end) {
    throw new InvalidRequestError('start_date must not be in the future', {
      field: 'start_date',
      constraint: 'maximum',
    });
  }
  return span;
}

/** The span of the bot's summary. */
export function lastThirtyDays(now: number): TimeSpan {
  return readWholeSpan({}, now);
}

function readEnd(text: string, field: string): number {
  // A space is what a plus sign in a query becomes when it was not encoded.
  return readMoment(text.replace(' ', '+'), field);
}

/**
 * Reads a date or a time that a client gives, in UTC where it names no zone.
 *
 * @returns milliseconds since 1970.
 * @throws InvalidRequestError when it is no ISO 8601.
 */
export function readMoment(text: string, field: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw new InvalidRequestError(
      `${field} must be an ISO 8601 date or timestamp`,
      { field, constraint: 'format' },
    );
  }
  return instant;
}
