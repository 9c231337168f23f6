import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { serveProcess } from '../process/serveProcess.ts';
import { EVENTS_TABLE } from '../sql/ClickhouseDialect.ts';
import { eventLine } from './eventLine.ts';
import { SCHEMA } from './schema.ts';
import { writeEngineConfig } from './writeEngineConfig.ts';

/** What the process is asked. */
export type ChdbQuestion =
  | { kind: 'query'; sql: string }
  /** A statement of what writes: heavy queries do not hold it up. */
  | { kind: 'statement'; sql: string }
  | { kind: 'insert'; events: readonly AnalyticsEvent[] };

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

/** As much of chDB as is used here. */
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

/** What a plan of the longest question becomes in hexadecimal; the default is 256 KiB. */
const LONGEST_STATEMENT = 4 * 1024 * 1024;

const INSERT_SETTINGS = {
  async_insert: 0,
  // Events may be of any years, and no sender may hold up what waits with its own.
  max_partitions_per_insert_block: 0,
};

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

  serveProcess<ChdbQuestion>({
    async answer(question) {
      if (question.kind === 'insert') {
        await writer.insert({
          table: EVENTS_TABLE,
          format: 'JSONEachRow',
          values: Buffer.from(question.events.map(eventLine).join('\n')),
          settings: INSERT_SETTINGS,
        });
        return undefined;
      }
      if (question.kind === 'statement') {
        return rowsOf(writer, question.sql);
      }
      const reader = free.pop();
      if (!reader) {
        throw new Error('Every reader is at a query');
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

main().catch((error: unknown) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
