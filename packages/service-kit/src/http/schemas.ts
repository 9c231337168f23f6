import { Type } from 'typebox';

/** A point in time as clients send it (RFC 3339, with its zone). */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 64 });

/** An end of a queried period: a date or a point in time. */
export const DateOrTime = Type.String({
  format: 'date-or-time',
  maxLength: 64,
});
