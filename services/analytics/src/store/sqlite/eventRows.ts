import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';

/** A row of the journal's tables of events. */
export interface EventRow {
  seq: number;
  project_id: string;
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: number;
  created_at: number;
  properties: string;
}

/** A row of the journal's events. */
export interface JournalRow extends EventRow {
  /** Both maps of its properties as JSON, if engines would build different ones; otherwise null. */
  maps: string | null;
}

/** Positions in the journal, both inclusive. */
export interface JournalRange {
  readonly first: number;
  readonly last: number;
}

/** Converts a row to an event. */
export function toEvent(row: EventRow): AnalyticsEvent {
  return {
    projectId: row.project_id,
    uuid: row.uuid,
    event: row.event,
    distinctId: row.distinct_id,
    timestamp: row.timestamp,
    createdAt: row.created_at,
    properties: row.properties,
  };
}

/** Returns the values of a row except its position, in the order of {@link EventRow}. */
export function valuesOf(event: AnalyticsEvent): (string | number)[] {
  return [
    event.projectId,
    event.uuid,
    event.event,
    event.distinctId,
    event.timestamp,
    event.createdAt,
    event.properties,
  ];
}
