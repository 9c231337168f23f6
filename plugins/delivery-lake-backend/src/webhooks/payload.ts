import { DateTime } from 'luxon';
import { z } from 'zod';
import { DeliveryLakeConfig } from '../config';
import { LakeEvent, IngestItem } from '../events/LakeEvent';

/** What a delivery means to the lake. */
export interface MappedDelivery {
  items: IngestItem[];
  /** Why it means nothing, where it does. */
  ignored?: string;
}

/** What a mapper is given: all that a delivery says, and how the lake reads it. */
export interface DeliveryContext {
  /** Under which name its events stand in the lake. */
  source: string;
  /** The sender's word for what it is. */
  type: string;
  /** Parsed, and not yet trusted to have any shape. */
  body: unknown;
  config: DeliveryLakeConfig;
}

/** A pure reading of one kind of delivery. @throws PayloadError naming the field at fault. */
export type DeliveryMapper = (delivery: DeliveryContext) => MappedDelivery;

/** A delivery that means these events. */
export function meaning(...events: LakeEvent[]): MappedDelivery {
  return { items: events.map(event => ({ event })) };
}

/** A delivery that means nothing to the lake, and why. */
export function ignoring(reason: string): MappedDelivery {
  return { items: [], ignored: reason };
}

/** Enough of a commit message to know it by; some hold whole change logs. */
const MESSAGE_LIMIT = 2_000;

/** Cuts a message where it stops being one. */
export function shortened(message: string): string {
  return message.length > MESSAGE_LIMIT
    ? `${message.slice(0, MESSAGE_LIMIT - 1)}…`
    : message;
}

/** A key that senders give as text or as a number. */
export const key = z
  .union([z.string().trim().min(1), z.number()])
  .transform(String);

/** A text that may be missing, null or empty: all three say nothing. */
export const optionalText = z
  .string()
  .nullish()
  .transform(text => text?.trim() || undefined);

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

/** A delivery that is not what its sender's documentation says it is. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';

  /** @param field - dotted path of the field at fault. */
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (node, member) =>
      typeof node === 'object' && node !== null
        ? Reflect.get(node, member)
        : undefined,
    body,
  );
}

/**
 * Reads what a mapper needs of a payload; what else it holds is the sender's own.
 *
 * @throws PayloadError naming the first field at fault.
 */
export function readPayload<T extends z.ZodType>(
  schema: T,
  body: unknown,
): z.output<T> {
  const result = schema.safeParse(body);
  if (result.success) {
    return result.data;
  }
  const [issue] = result.error.issues;
  const field = issue.path.join('.');
  if (!field) {
    throw new PayloadError('The body is not a JSON object');
  }
  const missing = valueAt(body, issue.path) === undefined;
  throw new PayloadError(
    missing ? `${field} is required` : `${field}: ${issue.message}`,
    field,
  );
}
