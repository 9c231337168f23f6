import { Type } from 'typebox';

/** A point in time as clients send it: ISO 8601, which `parseInstant` reads. */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 64 });
