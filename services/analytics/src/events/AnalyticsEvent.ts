import { parseInstant } from '@slipway/service-kit';

/** An event of a product, as it is kept. */
export interface AnalyticsEvent {
  readonly projectId: string;
  /** Lower-case; what is sent twice under one uuid is kept once. */
  readonly uuid: string;
  readonly event: string;
  /** The id of the person or thing it happened to, as the product names it. */
  readonly distinctId: string;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** When it arrived, milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** A JSON object, as `JSON.stringify` writes it. */
  readonly properties: string;
}

/** Milliseconds of the first moment after those that every store can keep: 2106-01-01. */
const END_OF_TIME = Date.UTC(2106, 0, 1);

/**
 * Reads an ISO 8601 date or time that every store can keep; UTC where it names no zone.
 *
 * @returns milliseconds since the Unix epoch; undefined when it is none, or outside of
 *   1970 to 2105.
 */
export function parseStorableInstant(text: string): number | undefined {
  const instant = parseInstant(text);
  return instant !== undefined && instant >= 0 && instant < END_OF_TIME
    ? instant
    : undefined;
}

/** Events of the future are of now; a clock may be wrong by a time zone. */
const LATEST_AHEAD_MS = 23 * 3_600_000;

/**
 * When an event happened, on our clock. Senders say when they sent it, on their clock
 * (`sent_at`), and so how long ago it was.
 *
 * @param options.timestamp - on the sender's clock, milliseconds.
 * @param options.sentAt - on the sender's clock, milliseconds.
 * @param options.offset - how long ago it was when it was sent, milliseconds.
 */
export function eventTime(options: {
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

/** An instant of a JSON body, where it is one. */
export function readInstant(value: unknown): number | undefined {
  return typeof value === 'string' ? parseStorableInstant(value) : undefined;
}
