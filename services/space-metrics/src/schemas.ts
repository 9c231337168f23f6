import {
  InvalidRequestError,
  validationFault,
  violationsOf,
} from '@slipway/service-kit';
import { type Static, type TSchema, Type } from 'typebox';

/** Schema options that reject blank texts. */
export const notBlank = {
  pattern: '\\S',
  patternDescription: 'must not be blank',
};

/** The person who makes a submission. The service stores only a keyed hash of the id. */
export const UserId = Type.String({
  minLength: 1,
  maxLength: 256,
  ...notBlank,
  description:
    'A user of the catalog (`ada`, `user:default/ada`) or an email address. Stored as a keyed hash.',
});

export const TeamName = Type.String({
  maxLength: 128,
  pattern: '^\\P{Cc}*$',
  patternDescription: 'must not contain control characters',
  description: 'Name or reference of a group of the catalog.',
});

/** Time of an event; defaults to now. */
export const OccurredAt = Type.String({
  maxLength: 64,
  description: 'ISO 8601; interpreted as UTC if it has no offset.',
});

/** Free text. */
export const FreeText = Type.String({ maxLength: 10_000 });

/** The team and the days of a query. */
export const periodQuery = {
  team: Type.Optional(TeamName),
  start_date: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'ISO 8601 date or timestamp; default: 30 days before the end.',
    }),
  ),
  end_date: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'ISO 8601 date (inclusive) or timestamp; default: today.',
    }),
  ),
};

/** Dates in a response, both inclusive. */
export const PeriodAnswer = Type.Object({
  start: Type.String({ format: 'date' }),
  end: Type.String({ format: 'date' }),
});

/** A number, or null if the group behind it is too small to be shown. */
export const Shown = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/**
 * Creates a validator for one element of a batch, so that an invalid element does not affect the
 * others.
 *
 * @returns a function that throws InvalidRequestError naming the invalid field.
 */
export function itemReader<S extends TSchema>(
  schema: S,
): (item: unknown) => Static<S> {
  return item => {
    const violations = violationsOf(schema, item);
    if (violations.length === 0) {
      return item as Static<S>;
    }
    const { message, ...fault } = validationFault(violations, { part: 'item' });
    throw new InvalidRequestError(message, fault);
  };
}
