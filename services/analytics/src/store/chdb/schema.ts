import { EVENTS_TABLE } from '../sql/ClickhouseDialect.ts';

/**
 * The tables, run at each start; a cluster has the same with Replicated before the name
 * of the engine. Rows lie by what queries ask for: project, day, name of the event. The
 * journal leaves duplicates out; the engine collapses what may pass it by. Each part is
 * synchronised with the disk by itself: partitions are long, so that events of any times
 * are a bounded number of parts.
 */
export const SCHEMA: readonly string[] = [
  'CREATE DATABASE IF NOT EXISTS analytics',
  `CREATE TABLE IF NOT EXISTS ${EVENTS_TABLE} (
    project_id LowCardinality(String),
    uuid UUID,
    event LowCardinality(String),
    distinct_id String,
    timestamp DateTime64(3, 'UTC'),
    created_at DateTime64(3, 'UTC'),
    properties String CODEC(ZSTD(3)),
    texts Map(LowCardinality(String), String) CODEC(ZSTD(3)),
    numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(3))
  )
  ENGINE = ReplacingMergeTree(created_at)
  PARTITION BY toYear(timestamp)
  ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
];
