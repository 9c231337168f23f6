import { LakeEvent } from './LakeEvent';

/** An event that the lake holds, as far as its place among others needs it. */
export interface KnownEvent<E extends LakeEvent = LakeEvent> {
  event: E;
  digest: string;
}

const DELETED = 3;

/**
 * How far along an event says that its record is. Many senders' clocks tell whole
 * seconds: of a start and a finish in the same one, the finish is the later word.
 */
function stage(event: LakeEvent): number {
  if (event.deleted) {
    return DELETED;
  }
  if (event.kind === 'incident') {
    return event.resolvedAt ? 2 : 0;
  }
  if (event.kind === 'change' || event.status === 'PENDING') {
    return 0;
  }
  if (event.status === undefined) {
    return event.finishedAt === undefined ? 0 : 2;
  }
  return event.status === 'IN_PROGRESS' ? 1 : 2;
}

/**
 * Orders the events of one record by what they say of themselves, never by when
 * they came: by their own time, then by stage, then by digest.
 */
export function compareEvents(a: KnownEvent, b: KnownEvent): number {
  return (
    a.event.occurredAt - b.event.occurredAt ||
    stage(a.event) - stage(b.event) ||
    (a.digest < b.digest ? -1 : Number(a.digest > b.digest))
  );
}

/**
 * The events that make a record, oldest first: those since it was last deleted.
 * Empty where it is deleted, or was never heard of.
 */
export function standingEvents<E extends LakeEvent>(
  known: readonly KnownEvent<E>[],
): E[] {
  const events = [...known].sort(compareEvents).map(({ event }) => event);
  return events.slice(events.findLastIndex(event => event.deleted) + 1);
}

/** What the latest event says that speaks of something at all. */
export function latestWord<E, T>(
  events: readonly E[],
  read: (event: E) => T | undefined,
): T | undefined {
  const speaker = events.findLast(event => read(event) !== undefined);
  return speaker && read(speaker);
}
