import type Database from 'better-sqlite3';
import { DAY_MS, type Observed } from '../../definitions/Definition.ts';
import {
  observe,
  propertiesOf,
  type SampledEvent,
  type Seen,
} from '../../definitions/observe.ts';

/** The events to count next. */
export interface CountRequest {
  /** The last position that is already counted. */
  readonly after: number;
  /** The last position to count. */
  readonly upTo: number;
  /** The maximum number of events to count. */
  readonly events: number;
  /** Maximum events whose properties are read; of more events, every nth is read. */
  readonly sampled: number;
  /** The time from which each project keeps events; earlier ones are not counted. */
  readonly keptSince: ReadonlyMap<string, number>;
}

/** The counts of some events. */
export interface CountedArrivals {
  /** The last counted position. */
  readonly upTo: number;
  readonly observed: readonly Observed[];
}

/**
 * Counts events of a journal in order of arrival.
 * @param database - of the journal; everything up to `upTo` is committed.
 */
export function countArrivals(
  database: Database.Database,
  request: CountRequest,
): CountedArrivals {
  const { after, events, sampled, keptSince } = request;
  const end = database
    .prepare(
      'SELECT seq FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT 1 OFFSET ?',
    )
    .get(after, request.upTo, events - 1) as { seq: number } | undefined;
  const upTo = end?.seq ?? request.upTo;
  const names = database
    .prepare(
      `SELECT project_id AS projectId, event AS name, timestamp / ${DAY_MS} AS day,
        count(*) AS count, min(timestamp) AS firstAt, max(timestamp) AS lastAt
      FROM events WHERE seq > ? AND seq <= ? GROUP BY 1, 2, 3`,
    )
    .all(after, upTo) as Omit<Seen, 'kind'>[];
  const counted = names.reduce((sum, { count }) => sum + count, 0);
  const weight = Math.max(1, Math.ceil(counted / sampled));
  const sample = database
    .prepare(
      `SELECT project_id AS projectId, timestamp, properties
      FROM events WHERE seq > ? AND seq <= ? AND seq % ? = 0`,
    )
    .all(after, upTo, weight) as Omit<SampledEvent, 'weight'>[];
  const isKept = ({ projectId, lastAt }: Seen) =>
    lastAt >= (keptSince.get(projectId) ?? 0);
  return {
    upTo,
    observed: observe(
      [
        ...names.map(name => ({ ...name, kind: 'event' as const })),
        ...sample.flatMap(event => propertiesOf({ ...event, weight })),
      ].filter(isKept),
    ),
  };
}
