import { isJsonObject } from '@slipway/service-kit';
import {
  type AnalyticsEvent,
  type Arrival,
  buildEvent,
  readInstant,
} from '../events/AnalyticsEvent.ts';

/** Why an SDK event was dropped. */
export const DROP_REASONS = [
  'not_an_object',
  'no_event_name',
  'no_distinct_id',
  'over_limit',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Maximum characters of names and ids; PostHog truncates at the same length. */
const LONGEST = 200;

/**
 * Reads an SDK event as PostHog does: truncates long values, converts values of other types
 * to text, and replaces an invalid time or uuid. Drops an event without a name or a person,
 * but not the other events of the request.
 */
export function readSdkEvent(
  raw: unknown,
  arrival: Arrival,
): AnalyticsEvent | Exclude<DropReason, 'over_limit'> {
  if (!isJsonObject(raw)) {
    return 'not_an_object';
  }
  const { $set, $set_once, session_id: session, window_id: window } = raw;
  const properties: Record<string, unknown> = {
    ...(isJsonObject(raw.properties) && raw.properties),
    ...(isJsonObject($set) && { $set }),
    ...(isJsonObject($set_once) && { $set_once }),
    // The newest protocol has these outside of the properties.
    ...(typeof session === 'string' && { $session_id: session }),
    ...(typeof window === 'string' && { $window_id: window }),
  };
  // Calls that only describe a person have no event name.
  const event = textOf(
    raw.event ?? (isJsonObject($set) ? '$identify' : undefined),
  );
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
    at: readInstant(raw.timestamp),
    offset: raw.offset,
    properties,
  });
}

/** Checks whether a part of an event had to be changed before it could be stored. */
export function isRepaired(raw: unknown, event: AnalyticsEvent): boolean {
  if (!isJsonObject(raw)) {
    return false;
  }
  const { uuid, timestamp } = raw;
  const id = raw.distinct_id ?? raw.$distinct_id ?? event.distinctId;
  return (
    (raw.event ?? event.event) !== event.event ||
    id !== event.distinctId ||
    (typeof uuid === 'string' && uuid.toLowerCase() !== event.uuid) ||
    (timestamp !== undefined && readInstant(timestamp) === undefined)
  );
}

/** Converts a value to text of at most {@link LONGEST} characters; undefined if that is empty. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Do not split a surrogate pair.
  return text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '') || undefined;
}
