// Not imported from the kit: the processes that read journals start often, and load only
// what they need.
import { parseInstant } from '@slipway/entity-contract/parseInstant';
import { v7 as createUuid, validate as isUuid } from 'uuid';

/** An event of a product, as it is stored. */
export interface AnalyticsEvent {
  readonly projectId: string;
  /** Lower-case; events with the same uuid are stored once. */
  readonly uuid: string;
  readonly event: string;
  /** The id of the person or thing that the event is about, as named by the product. */
  readonly distinctId: string;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** When it arrived, milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** When it reached this installation, if it was imported from another. */
  readonly receivedAt?: number;
  /** A JSON object, as written by `JSON.stringify`. */
  readonly properties: string;
}

/** Exclusive upper limit of the times that every store supports, in milliseconds: 2106-01-01. */
const END_OF_TIME = Date.UTC(2106, 0, 1);

/**
 * Parses an ISO 8601 date or time that every store supports; UTC if it has no zone.
 * @returns milliseconds since the Unix epoch; undefined if invalid, or outside of 1970
 *   to 2105.
 */
export function parseStorableInstant(text: string): number | undefined {
  const instant = parseInstant(text);
  return instant !== undefined && instant >= 0 && instant < END_OF_TIME
    ? instant
    : undefined;
}

/** Events further in the future get the current time; a clock may be off by a time zone. */
const LATEST_AHEAD_MS = 23 * 3_600_000;

/**
 * Returns the time of an event on the service's clock. Senders report the time of sending
 * on their own clock (`sent_at`), from which the event's age is computed.
 * @param options.timestamp - on the sender's clock, milliseconds.
 * @param options.sentAt - on the sender's clock, milliseconds.
 * @param options.offset - age of the event when it was sent, milliseconds.
 */
function eventTime(options: {
  now: number;
  timestamp?: number;
  sentAt?: number;
  offset?: number;
}): number {
  const { now, timestamp, sentAt, offset } = options;
  let time = now;
  if (timestamp !== undefined) {
    time = sentAt === undefined ? timestamp : now + (timestamp - sentAt);
  } else if (offset !== undefined) {
    time = now - offset;
  }
  const isPossible =
    time >= 0 && time < END_OF_TIME && time <= now + LATEST_AHEAD_MS;
  return isPossible ? Math.trunc(time) : now;
}

/** Reads an instant from a JSON body; undefined if it is invalid. */
export function readInstant(value: unknown): number | undefined {
  return typeof value === 'string' ? parseStorableInstant(value) : undefined;
}

/** The maximum number of events in one request. */
export const MOST_EVENTS = 50_000;

/** The maximum size of a request with several events, in bytes after decompression. */
export const BATCH_BYTES = 20 * 1024 * 1024;

/** The maximum length of an event's name and of an id; those from SDKs are truncated earlier. */
export const LONGEST_EVENT_NAME = 1_000;

/** The values shared by all events of a request. */
export interface Arrival {
  readonly projectId: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** `sent_at` of the request, milliseconds on the sender's clock. */
  readonly sentAt: number | undefined;
}

/** Builds an event from its parts; generates a time or uuid if it is missing or invalid. */
export function buildEvent(
  { projectId, now, sentAt }: Arrival,
  parts: {
    event: string;
    distinctId: string;
    uuid?: unknown;
    /** Its time on the sender's clock, milliseconds since the Unix epoch. */
    at?: number;
    /** Milliseconds between the event and its sending. */
    offset?: unknown;
    properties: Record<string, unknown>;
  },
): AnalyticsEvent {
  const { event, distinctId, uuid, at, offset, properties } = parts;
  const ignoresSentAt = properties.$ignore_sent_at === true;
  return {
    projectId,
    uuid:
      typeof uuid === 'string' && isUuid(uuid)
        ? uuid.toLowerCase()
        : createUuid(),
    event,
    distinctId,
    timestamp: eventTime({
      now,
      timestamp: at,
      sentAt: ignoresSentAt ? undefined : sentAt,
      offset: typeof offset === 'number' ? offset : undefined,
    }),
    createdAt: now,
    properties: JSON.stringify(properties),
  };
}
