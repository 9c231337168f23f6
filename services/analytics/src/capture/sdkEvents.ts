import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { type Arrival, buildEvent } from './bodies.ts';
import { isObject } from './isObject.ts';

/** Why an event of an SDK was not kept. */
export const DROP_REASONS = [
  'not_an_object',
  'no_event_name',
  'no_distinct_id',
  'over_limit',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Characters of names and ids, as PostHog cuts them. */
const LONGEST = 200;

/**
 * Reads an event of an SDK, as PostHog does: what is too long is cut, a value of another
 * kind becomes text, and a time or uuid that cannot be read is made up. One that says
 * neither what happened nor to whom is dropped, and its neighbours are not.
 */
export function readSdkEvent(
  raw: unknown,
  arrival: Arrival,
): AnalyticsEvent | Exclude<DropReason, 'over_limit'> {
  if (!isObject(raw)) {
    return 'not_an_object';
  }
  const { $set, $set_once, session_id: session, window_id: window } = raw;
  const properties: Record<string, unknown> = {
    ...(isObject(raw.properties) && raw.properties),
    ...(isObject($set) && { $set }),
    ...(isObject($set_once) && { $set_once }),
    // Their place in the newest protocol.
    ...(typeof session === 'string' && { $session_id: session }),
    ...(typeof window === 'string' && { $window_id: window }),
  };
  // Calls that only describe a person name no event.
  const event = textOf(raw.event ?? (isObject($set) ? '$identify' : undefined));
  if (event === undefined) {
    return 'no_event_name';
  }
  const distinctId = textOf(
    raw.distinct_id ?? raw.$distinct_id ?? properties.distinct_id,
  );
  if (distinctId === undefined) {
    return 'no_distinct_id';
  }
  return buildEvent(arrival, {
    event,
    distinctId,
    uuid: raw.uuid,
    timestamp: raw.timestamp,
    offset: raw.offset,
    properties,
  });
}

/** A value as text of at most {@link LONGEST} characters; undefined where nothing is left of it. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Not through the middle of a character.
  return text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '') || undefined;
}
