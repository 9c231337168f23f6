import type Database from 'better-sqlite3';
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

/** Places of the journal, both included. */
export interface JournalRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the events in a range of the journal, oldest first.
 *
 * @param journal - its database.
 */
export function readRange(
  journal: Database.Database,
  { first, last }: JournalRange,
): AnalyticsEvent[] {
  const rows = journal
    .prepare('SELECT * FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq')
    .all(first, last) as EventRow[];
  return rows.map(toEvent);
}

/** The event that a row holds. */
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

/** The values of a row but its place, in the order of {@link EventRow}. */
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
