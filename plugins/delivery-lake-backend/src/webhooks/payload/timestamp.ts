import { DateTime } from 'luxon';
import { z } from 'zod';

/** `2021-04-28 21:50:00 +0200` and `2017-09-15 16:52:00 UTC`: GitLab's own notation. */
const SPACED =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ?(UTC|[+-]\d\d:?\d\d)$/;

/**
 * Reads a moment as the senders write them: ISO 8601 with a zone (UTC without
 * one), GitLab's notation with spaces, or seconds since the epoch as GitHub's
 * `pushed_at`.
 *
 * @returns milliseconds since the epoch; undefined when it is none of these.
 */
export function readTimestamp(value: string | number): number | undefined {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? value * 1000 : undefined;
  }
  const spaced = SPACED.exec(value.trim());
  const iso = spaced
    ? `${spaced[1]}T${spaced[2]}${spaced[3] === 'UTC' ? 'Z' : spaced[3]}`
    : value.trim();
  const moment = DateTime.fromISO(iso, { zone: 'utc' });
  return moment.isValid ? moment.toMillis() : undefined;
}

/** A moment in a payload, in milliseconds. */
export const timestamp = z
  .union([z.string(), z.number()])
  .transform((value, context) => {
    const moment = readTimestamp(value);
    if (moment === undefined) {
      context.addIssue({ code: 'custom', message: `${value} is not a time` });
      return z.NEVER;
    }
    return moment;
  });
