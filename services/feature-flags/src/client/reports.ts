import { InvalidRequestError, parseInstant } from '@slipway/service-kit';
import type { VariantCounts } from '../storage/usageVariants.ts';
import type { FlagCount } from '../usage/UsageIntake.ts';

/** Maximum length of names: SDKs name instances after hosts, images and builds. */
const NAME_LENGTH = 200;
const MAX_STRATEGIES = 100;
const MAX_VARIANTS = 100;
const VARIANT_LENGTH = 100;
const MOST = 1e12;
/** Smaller values are seconds, which some SDKs send, rather than milliseconds. */
const FIRST_MILLISECONDS = 1e11;
/** Maximum length of a time; longer texts would take too long to search for a zone. */
const TIME_LENGTH = 200;
const NAMED_ZONE = /\b(?:UTC|GMT)\b/;

/** A value sent by an SDK; many SDKs occasionally send another type than they document. */
export type Loose = string | number | boolean | null | object | undefined;

/** Reads a name: numbers are accepted, and long names are truncated. */
export function readName(value: Loose): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, NAME_LENGTH)
    : undefined;
}

/** Reads a required name. @throws InvalidRequestError */
export function readRequiredName(value: Loose, field: string): string {
  const name = readName(value);
  if (!name) {
    throw invalid(field, 'must be a text', 'type');
  }
  return name;
}

/** Reads the names of strategies; invalid ones are dropped. */
export function readNames(values: readonly Loose[]): string[] {
  return values
    .flatMap(value => readName(value) ?? [])
    .slice(0, MAX_STRATEGIES);
}

/**
 * Parses a time: ISO 8601, seconds or milliseconds since the Unix epoch, or the format of HTTP and
 * JavaScript, `Sat, 28 Nov 2026 10:00:00 GMT`.
 *
 * @returns milliseconds since the Unix epoch; undefined for anything else.
 */
export function timeIn(value: Loose): number | undefined {
  const text = typeof value === 'string' ? value : '';
  if (text.length > TIME_LENGTH) {
    return undefined;
  }
  const instant = parseInstant(text);
  const count = instant ?? readNumber(value) ?? namedTime(text);
  if (count === undefined || count < 0 || count > 8.64e15) {
    return undefined;
  }
  const isSeconds = instant === undefined && count < FIRST_MILLISECONDS;
  return Math.round(isSeconds ? count * 1e3 : count);
}

/** Parses a time that names its zone; others would be read in the server's zone. */
function namedTime(text: string): number | undefined {
  const time = NAMED_ZONE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) || time < FIRST_MILLISECONDS ? undefined : time;
}

/** Parses a required time, as {@link timeIn} does. @throws InvalidRequestError */
export function readTime(value: Loose, field: string): number {
  const time = timeIn(value);
  if (time === undefined) {
    throw invalid(field, 'must be a valid date-time', 'format');
  }
  return time;
}

/** Reads a duration in milliseconds. @throws InvalidRequestError */
export function readInterval(value: Loose, field: string): number {
  const number = readNumber(value);
  if (number === undefined || number < 0 || number > Number.MAX_SAFE_INTEGER) {
    throw invalid(field, 'must be a number of milliseconds', 'type');
  }
  return Math.round(number);
}

/** The usage of a flag, and the number of unreadable counts. */
export interface ReadCounts {
  readonly counts: FlagCount[];
  /** The number of flags without valid counts. */
  readonly unreadable: number;
}

/**
 * Reads how often flags were on and off. A missing count is 0; a text or a fraction is
 * rounded to the nearest integer.
 *
 * @throws InvalidRequestError for a count below 0.
 */
export function readCounts(
  toggles: Readonly<Record<string, Loose>>,
  field: string,
): ReadCounts {
  const counts = Object.entries(toggles).flatMap(([flag, value]) => {
    const { yes, no, variants } = (value ?? {}) as Record<string, Loose>;
    const [on, off] = [readCount(yes), readCount(no)];
    if ((on ?? 0) < 0 || (off ?? 0) < 0) {
      throw invalid(`${field}.${flag}`, 'must not be below 0', 'minimum');
    }
    const isRead =
      typeof value === 'object' && on !== undefined && off !== undefined;
    return isRead
      ? [{ flag, yes: on, no: off, variants: readVariants(variants) }]
      : [];
  });
  const unreadable = Object.keys(toggles).length - counts.length;
  return { counts, unreadable };
}

/** Reads how often each variant was given; invalid counts are dropped. */
export function readVariants(variants: Loose): VariantCounts | undefined {
  if (typeof variants !== 'object' || variants === null) {
    return undefined;
  }
  const read = Object.entries(variants)
    .slice(0, MAX_VARIANTS)
    .flatMap(([name, value]: [string, Loose]) => {
      const count = readCount(value);
      return count !== undefined && count > 0
        ? [[name.slice(0, VARIANT_LENGTH), count] as const]
        : [];
    });
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

/** Reads a count; a missing one is 0. @returns undefined if it is invalid. */
export function readCount(value: Loose): number | undefined {
  if (value === undefined || value === null) {
    return 0;
  }
  const number = readNumber(value);
  return number === undefined || number > MOST ? undefined : Math.round(number);
}

function readNumber(value: Loose): number | undefined {
  const number =
    typeof value === 'number' ||
    (typeof value === 'string' && value.trim() !== '')
      ? Number(value)
      : NaN;
  return Number.isFinite(number) ? number : undefined;
}

function invalid(
  field: string,
  words: string,
  constraint: string,
): InvalidRequestError {
  return new InvalidRequestError(`${field} ${words}`, { field, constraint });
}
