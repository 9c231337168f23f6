import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { serveProcess } from '../process/serveProcess.ts';
import { EVENTS_TABLE } from '../sql/ClickhouseDialect.ts';
import { type JournalRange, readRange } from '../sqlite/eventRows.ts';
import {
  eventLine,
  isPlain,
  MAP_DEFAULTS,
  PLAIN_COLUMNS,
  plainLine,
} from './eventLines.ts';

/** What the process is asked. */
export type ChdbQuestion =
  | { kind: 'query'; sql: string }
  /** A statement of what writes: heavy queries do not hold it up. */
  | { kind: 'statement'; sql: string }
  | { kind: 'insert'; events: readonly AnalyticsEvent[] }
  /** Inserts the events of a range of a journal, which is the file of that name. */
  | { kind: 'take'; filename: string; range: JournalRange };

/** What the process is started with. */
export interface ChdbOptions {
  /** Start file of the installed tool. */
  entryPoint: string;
  directory: string;
  maxThreads: number;
  memoryBytes: number;
  /** Queries that it is asked at once at most. */
  readers: number;
}

/** The part of chDB's interface that is used here. */
interface Session {
  queryAsync(
    sql: string,
    options?: { format: string },
  ): Promise<{ text(): string }>;
  insert(options: {
    table: string;
    columns?: readonly string[];
    format: 'JSONEachRow' | 'TabSeparated';
    values: Buffer;
    settings: Record<string, number>;
  }): Promise<unknown>;
  close(): void;
}

const OPEN_FOR_MS = 15_000;

/** What a plan of the longest question becomes in hexadecimal; the default is 256 KiB. */
const LONGEST_STATEMENT = 4 * 1024 * 1024;

const INSERT_SETTINGS = {
  async_insert: 0,
  // Events may be of any years, and no sender may hold up what waits with its own.
  max_partitions_per_insert_block: 0,
};

async function rowsOf(session: Session, sql: string): Promise<unknown> {
  const result = await session.queryAsync(sql, { format: 'JSONCompact' });
  const text = result.text();
  // What changes something has no answer.
  return text === '' ? [] : JSON.parse(text).data;
}

/** The process of a service that was killed may take a moment to let go of the files. */
async function openPatiently(open: () => Session): Promise<Session> {
  const until = Date.now() + OPEN_FOR_MS;
  for (;;) {
    try {
      const session = open();
      await session.queryAsync('SELECT 1');
      return session;
    } catch (error) {
      if (Date.now() > until) {
        throw error;
      }
      await sleep(200);
    }
  }
}

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
    texts Map(LowCardinality(String), String) DEFAULT ${MAP_DEFAULTS.texts} CODEC(ZSTD(3)),
    numbers Map(LowCardinality(String), Float64) DEFAULT ${MAP_DEFAULTS.numbers} CODEC(ZSTD(3))
  )
  ENGINE = ReplacingMergeTree(created_at)
  PARTITION BY toYear(timestamp)
  ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  // Tables of earlier versions have no defaults.
  ...Object.entries(MAP_DEFAULTS).map(
    ([column, value]) =>
      `ALTER TABLE ${EVENTS_TABLE} MODIFY COLUMN ${column} DEFAULT ${value}`,
  ),
];

/** Inserts events, most of them without parsing their properties in here. */
async function insert(
  writer: Session,
  events: readonly AnalyticsEvent[],
): Promise<void> {
  const plain = events.filter(isPlain);
  if (plain.length > 0) {
    await writer.insert({
      table: EVENTS_TABLE,
      columns: PLAIN_COLUMNS,
      format: 'TabSeparated',
      values: Buffer.from(plain.map(plainLine).join('\n')),
      settings: INSERT_SETTINGS,
    });
  }
  if (plain.length < events.length) {
    const others = events.filter(event => !isPlain(event));
    await writer.insert({
      table: EVENTS_TABLE,
      format: 'JSONEachRow',
      values: Buffer.from(others.map(eventLine).join('\n')),
      settings: INSERT_SETTINGS,
    });
  }
}

/** Opens a journal once, beside the service that writes it. */
function journalReader(): (filename: string) => Database.Database {
  const open = new Map<string, Database.Database>();
  return filename => {
    const journal =
      open.get(filename) ?? new Database(filename, { readonly: true });
    open.set(filename, journal);
    return journal;
  };
}

/** chDB's configuration with the few threads and caches that one table needs; the defaults are those of a server. */
const CONFIG = `<clickhouse>
  <mark_cache_size>67108864</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <background_pool_size>2</background_pool_size>
  <background_merges_mutations_concurrency_ratio>2</background_merges_mutations_concurrency_ratio>
  <background_schedule_pool_size>2</background_schedule_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_buffer_flush_schedule_pool_size>1</background_buffer_flush_schedule_pool_size>
  <background_distributed_schedule_pool_size>1</background_distributed_schedule_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
  <max_server_memory_usage>MEMORY</max_server_memory_usage>
</clickhouse>
`;

/** @returns the file that chDB is started with. */
export function writeEngineConfig(options: {
  directory: string;
  memoryBytes: number;
}): string {
  const file = path.join(options.directory, 'config.xml');
  writeFileSync(file, CONFIG.replace('MEMORY', String(options.memoryBytes)));
  return file;
}

async function main(): Promise<void> {
  const options: ChdbOptions = JSON.parse(process.argv[2]);
  const require = createRequire(import.meta.url);
  const { Session: ChdbSession } = require(options.entryPoint) as {
    Session: new (
      directory: string,
      options: { connectionArgs: string[] },
    ) => Session;
  };
  mkdirSync(options.directory, { recursive: true });
  const data = path.join(options.directory, 'data');
  const configFile = writeEngineConfig(options);
  const connectionArgs = [
    `--max_threads=${options.maxThreads}`,
    `--config-file=${configFile}`,
    `--max_query_size=${LONGEST_STATEMENT}`,
  ];
  const open = () => new ChdbSession(data, { connectionArgs });
  // A session does one thing at a time: a heavy query holds up neither what is written
  // nor every other query.
  const writer = await openPatiently(open);
  for (const statement of SCHEMA) {
    await writer.queryAsync(statement);
  }
  const readers = Array.from({ length: options.readers }, open);
  const free = [...readers];
  const journalOf = journalReader();

  serveProcess<ChdbQuestion>({
    async answer(question) {
      if (question.kind === 'insert') {
        await insert(writer, question.events);
        return undefined;
      }
      if (question.kind === 'take') {
        const journal = journalOf(question.filename);
        await insert(writer, readRange(journal, question.range));
        return undefined;
      }
      if (question.kind === 'statement') {
        return rowsOf(writer, question.sql);
      }
      const reader = free.pop();
      if (!reader) {
        throw new Error('All readers are busy');
      }
      try {
        return await rowsOf(reader, question.sql);
      } finally {
        free.push(reader);
      }
    },
    isTooHeavy: ({ message }) =>
      /TIMEOUT_EXCEEDED|TOO_SLOW|MEMORY_LIMIT_EXCEEDED/.test(message),
    close: () => [...readers, writer].forEach(session => session.close()),
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
