import { IncomingEvent } from '../IngestStore';
import { BatchSql } from './BatchSql';

const SOURCE_COLUMNS = {
  source: 'text',
  last_event_at: 'bigint',
  events: 'bigint',
} as const;

/** Notes whom was heard of, how often and when. */
export async function countSources(
  sql: BatchSql,
  events: IncomingEvent[],
  receivedAt: number,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const { event, implied } of events) {
    if (!implied) {
      counts.set(event.source, (counts.get(event.source) ?? 0) + 1);
    }
  }
  await sql.insert({
    table: 'lake_sources',
    columns: SOURCE_COLUMNS,
    rows: [...counts].map(([source, count]) => ({
      source,
      last_event_at: receivedAt,
      events: count,
    })),
    conflict: `(source) DO UPDATE SET
      events = lake_sources.events + excluded.events,
      last_event_at = CASE
        WHEN excluded.last_event_at > lake_sources.last_event_at
        THEN excluded.last_event_at ELSE lake_sources.last_event_at END`,
  });
}
