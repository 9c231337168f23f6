import { z } from 'zod';
import { SHA_PATTERN } from './limits';

const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|([+-]\d\d):?(\d\d))$/;
const TIME_MESSAGE =
  'must be an ISO 8601 timestamp with an offset, or milliseconds since 1970';

/** V8 takes 30 February for 2 March. */
function isRealDay(year: string, month: string, day: string): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day);
}

/**
 * Reads an ISO 8601 timestamp with an offset, its colon optional (`+0200`).
 *
 * @returns milliseconds since the Unix epoch; NaN for anything else.
 */
function parseTimestamp(timestamp: string): number {
  const match = TIMESTAMP.exec(timestamp);
  if (!match || !isRealDay(match[1], match[2], match[3])) {
    return NaN;
  }
  const [, , , , hours, minutes] = match;
  return Date.parse(
    hours === undefined
      ? timestamp
      : `${timestamp.slice(
          0,
          timestamp.search(/[+-]\d\d:?\d\d$/),
        )}${hours}:${minutes}`,
  );
}

/** A moment on the wire: a timestamp or milliseconds; in the lake milliseconds. */
export const time = z
  .union([z.string(), z.number()], { error: TIME_MESSAGE })
  .transform((value, context) => {
    const milliseconds =
      typeof value === 'number' ? Math.trunc(value) : parseTimestamp(value);
    if (Number.isNaN(milliseconds)) {
      context.addIssue({ code: 'custom', message: TIME_MESSAGE });
      return z.NEVER;
    }
    return milliseconds;
  });

/** A text of at most this many characters. */
export function text(limit: number) {
  return z.string().max(limit, `must have at most ${limit} characters`);
}

/** A text that something is found by: not blank, without control characters. */
export function name(limit: number) {
  return text(limit)
    .trim()
    .min(1, 'must not be empty')
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');
}

/** A commit in hexadecimal. */
export const sha = z
  .string()
  .regex(SHA_PATTERN, 'must be 7 to 64 hexadecimal digits');

/** An absolute http(s) address. */
export function webAddress(limit: number) {
  return text(limit).regex(
    /^https?:\/\/[^\s]+$/i,
    'must be an http(s) address',
  );
}
