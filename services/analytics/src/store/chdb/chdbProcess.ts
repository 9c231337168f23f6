import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveProcess } from '../process/serveProcess.ts';
import { schemaOf } from '../sql/clickhouseTables.ts';

/** A request to the process. */
export type ChdbQuestion =
  | { kind: 'query'; sql: string }
  /** A writing statement: heavy queries do not block it. */
  | { kind: 'statement'; sql: string }
  /** One row per line, as JSON. */
  | { kind: 'insert'; table: string; lines: string };

/** The start options of the process. */
export interface ChdbOptions {
  /** Entry point of the installed tool. */
  entryPoint: string;
  directory: string;
  /** The directory for backups, if any. */
  backups?: string;
  maxThreads: number;
  memoryBytes: number;
  /** Maximum number of concurrent queries. */
  readers: number;
}

/** The part of chDB's interface in use. */
interface Session {
  queryAsync(
    sql: string,
    options?: { format: string },
  ): Promise<{ text(): string }>;
  insert(options: {
    table: string;
    format: 'JSONEachRow';
    values: Buffer;
    settings: Record<string, number>;
  }): Promise<unknown>;
  close(): void;
}

const OPEN_FOR_MS = 15_000;

/** The maximum length of a statement, as its values are in hexadecimal; the default is 256 KiB. */
const LONGEST_STATEMENT = 4 * 1024 * 1024;

async function rowsOf(session: Session, sql: string): Promise<unknown> {
  const result = await session.queryAsync(sql, { format: 'JSONCompact' });
  const text = result.text();
  // A statement that changes something has an empty result.
  return text === '' ? [] : JSON.parse(text).data;
}

/**
 * Retries for a while, since the process of a killed service may take a moment to
 * release the files.
 */
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
 * chDB's configuration with fewer threads and smaller caches than the defaults, which
 * are for a server.
 */
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
  <max_server_memory_usage>MEMORY</max_server_memory_usage>BACKUPS
</clickhouse>
`;

/** @returns the path of chDB's configuration file. */
export function writeEngineConfig(options: {
  directory: string;
  backups?: string;
  memoryBytes: number;
}): string {
  const file = path.join(options.directory, 'config.xml');
  const { backups, memoryBytes } = options;
  const allowed =
    backups === undefined
      ? ''
      : `\n  <backups><allowed_path>${escapeXml(backups)}</allowed_path></backups>`;
  writeFileSync(
    file,
    CONFIG.replace('MEMORY', String(memoryBytes)).replace(
      'BACKUPS',
      () => allowed,
    ),
  );
  return file;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, sign => `&#${sign.charCodeAt(0)};`);
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
  // A session runs one statement at a time: with several, a heavy query blocks neither
  // writing nor all other queries.
  const writer = await openPatiently(open);
  for (const statement of schemaOf()) {
    await writer.queryAsync(statement);
  }
  const readers = Array.from({ length: options.readers }, open);
  const free = [...readers];

  serveProcess<ChdbQuestion>({
    async answer(question) {
      if (question.kind === 'insert') {
        await writer.insert({
          table: question.table,
          format: 'JSONEachRow',
          values: Buffer.from(question.lines),
          settings: { async_insert: 0 },
        });
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
