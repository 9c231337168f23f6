import { InvalidRequestError, parseInstant } from '@slipway/service-kit';
import { Type } from 'typebox';

/** A half-open time span, in milliseconds since the Unix epoch. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** An end of a queried span, parsed by {@link readSpan}. */
export const PeriodEnd = Type.String({
  maxLength: 64,
  description:
    'ISO 8601 date or timestamp; interpreted as UTC if it has no offset.',
});

/** The query of a span: a date or a timestamp for each end, in ISO 8601. */
export interface SpanQuery {
  start_date?: string;
  end_date?: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 30;

/**
 * Parses the ends of a query. A date is a day in UTC; as an end, it includes the whole day.
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
 * Like {@link readSpan}, with defaults: until now, and from 30 days before the end, at the start of
 * that day if the end is a date.
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

/** Returns the period of the bot's summary. */
export function lastThirtyDays(now: number): TimeSpan {
  return readWholeSpan({}, now);
}

function readEnd(text: string, field: string): number {
  // An unencoded plus sign in a query arrives as a space.
  return readMoment(text.replace(' ', '+'), field);
}

/**
 * Parses a date or time sent by a client, in UTC if it has no time zone.
 *
 * @returns milliseconds since 1970.
 * @throws InvalidRequestError if it is not valid ISO 8601.
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
