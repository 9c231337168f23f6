import {
  END_OF_TIME,
  parseStorableInstant,
} from '../events/parseStorableInstant.ts';

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
