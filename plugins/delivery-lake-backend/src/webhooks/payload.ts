import { DateTime } from 'luxon';
import { z } from 'zod';
import { DeliveryLakeConfig } from '../config';
import { LakeEvent, IngestItem } from '../events/LakeEvent';

/** The events of a delivery. */
export interface MappedDelivery {
  items: IngestItem[];
  /** The reason why the delivery is ignored; undefined if it is not. */
  ignored?: string;
}

/** The input of a mapper: a delivery and the lake's configuration. */
export interface DeliveryContext {
  /** The source of its events. */
  source: string;
  /** The sender's event type. */
  type: string;
  /** Parsed, but not validated. */
  body: unknown;
  config: DeliveryLakeConfig;
  /** The service that a tracker's delivery is about, if one was found when it was received. */
  service?: string;
}

/** A pure function that maps one kind of delivery. @throws PayloadError naming the invalid field. */
export type DeliveryMapper = (delivery: DeliveryContext) => MappedDelivery;

/** Reads deliveries of one incident tracker. Bodies are parsed, but not validated. */
export interface TrackerReader {
  map: DeliveryMapper;
  /** Returns the name of the event, such as `incident.triggered`; undefined if the body has none. */
  eventOf(body: unknown): string | undefined;
  /** Returns the host of the account or site; undefined for events that name none. */
  accountOf(body: unknown): string | undefined;
  /** Returns the names by which the catalog may know the affected service, the most specific first. */
  serviceNamesOf(body: unknown): string[];
  /**
   * Returns the start of the incident, in milliseconds since the Unix epoch; undefined for events that
   * name none.
   */
  startOf(body: unknown): number | undefined;
}

/** Returns the host of a URL, with its port; undefined if the text is not a URL. */
export function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host || undefined : undefined;
}

/** Returns a mapped delivery with the given events. */
export function accepting(...events: LakeEvent[]): MappedDelivery {
  return { items: events.map(event => ({ event })) };
}

/** Returns a mapped delivery without events, which was ignored for a reason. */
export function ignoring(reason: string): MappedDelivery {
  return { items: [], ignored: reason };
}

/** Maximum length of stored commit messages; some contain whole changelogs. */
const MESSAGE_LIMIT = 2_000;

/** Truncates a commit message. */
export function shortened(message: string): string {
  return message.length > MESSAGE_LIMIT
    ? `${message.slice(0, MESSAGE_LIMIT - 1)}…`
    : message;
}

/** A key that senders write as a string or a number; parsed to a string. */
export const key = z
  .union([z.string().trim().min(1), z.number()])
  .transform(String);

/** A text that may be missing, null or empty, which all mean the same. */
export const optionalText = z
  .string()
  .nullish()
  .transform(text => text?.trim() || undefined);

/** GitLab's notation: `2021-04-28 21:50:00 +0200` and `2017-09-15 16:52:00 UTC`. */
const SPACED =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ?(UTC|[+-]\d\d:?\d\d)$/;

/**
 * Parses the senders' formats: ISO 8601 with a zone (UTC without one), GitLab's notation
 * with spaces, or seconds since the epoch, as in GitHub's `pushed_at`.
 *
 * @returns milliseconds since the epoch; undefined for any other format.
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

/** Thrown for a delivery whose format does not match its sender's documentation. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';

  /** @param field - dotted path of the invalid field. */
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
 * Parses the fields of a payload that a mapper needs, and ignores the rest.
 *
 * @throws PayloadError naming the first invalid field.
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
