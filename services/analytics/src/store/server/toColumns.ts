import { propertyMaps } from '../propertyMaps.ts';
import { clickhouseTime } from '../sql/clickhouseValue.ts';
import type { JournalRow } from '../sqlite/eventRows.ts';

/**
 * Converts a row of the journal to a line for the events table. The server builds the
 * maps of its properties, unless it would build different ones.
 */
export function toColumns(row: JournalRow, journal: string): object {
  const { maps, timestamp, created_at: createdAt, ...rest } = row;
  return {
    ...rest,
    ...(maps !== null && propertyMaps(row.properties)),
    timestamp: clickhouseTime(timestamp),
    created_at: clickhouseTime(createdAt),
    journal,
  };
}
