import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessWork, serveProcess } from '../process/serveProcess.ts';
import { DEFINITIONS, schemaOf } from '../sql/clickhouseTables.ts';
import { writeEngineConfig } from './engineConfig.ts';

/** A request to the process. */
export type ChdbRequest =
  | { kind: 'query'; sql: string }
  /** A statement that writes: heavy queries do not block it. */
  | { kind: 'statement'; sql: string }
  /** One row per line, as JSON. */
  | { kind: 'insert'; table: string; lines: string };

/** The start options of the process. */
export interface ChdbOptions {
  /** Entry point of the installed chDB package. */
  entryPoint: string;
  directory: string;
  /** The directory for backups, if any. */
  backups?: string;
  maxThreads: number;
  memoryBytes: number;
  /** Maximum number of concurrent queries. */
  readers: number;
}

/** The part of chDB's interface that this service uses. */
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

/**
 * Maximum length of a statement in bytes: values are in hexadecimal, too long for the
 * default of 256 KiB.
 */
const LONGEST_STATEMENT = 4 * 1024 * 1024;

async function rowsOf(session: Session, sql: string): Promise<unknown> {
  let text: string;
  try {
    text = (await session.queryAsync(sql, { format: 'JSONCompact' })).text();
  } catch (error) {
    await discardRest(session);
    throw error;
  }
  // A statement that changes something has an empty result.
  return text === '' ? [] : JSON.parse(text).data;
}

/**
 * Discards the partial output of a failed query, which chDB would otherwise prepend to the
 * session's next result.
 */
async function discardRest(session: Session): Promise<void> {
  await session.queryAsync('SELECT 1').catch(() => undefined);
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

async function openDatabase(): Promise<ProcessWork<ChdbRequest>> {
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
  const openSession = () => new ChdbSession(data, { connectionArgs });
  // A session runs one statement at a time: with several, a heavy query blocks neither
  // writing nor all other queries.
  const writer = await openPatiently(openSession);
  // Changing tables takes half the time of a start, even if nothing changes.
  const rows = (await rowsOf(writer, DEFINITIONS)) as [string][];
  for (const statement of schemaOf(
    {},
    rows.map(([definition]) => definition),
  )) {
    await writer.queryAsync(statement);
  }
  const readers = Array.from({ length: options.readers }, openSession);
  const free = [...readers];

  return {
    async answer(request) {
      if (request.kind === 'insert') {
        await writer.insert({
          table: request.table,
          format: 'JSONEachRow',
          values: Buffer.from(request.lines),
          settings: { async_insert: 0 },
        });
        return undefined;
      }
      if (request.kind === 'statement') {
        return rowsOf(writer, request.sql);
      }
      const reader = free.pop();
      if (!reader) {
        throw new Error('All readers are busy');
      }
      try {
        return await rowsOf(reader, request.sql);
      } finally {
        free.push(reader);
      }
    },
    isTooHeavy: ({ message }) =>
      /TIMEOUT_EXCEEDED|TOO_BIG_AST|TOO_SLOW|MEMORY_LIMIT_EXCEEDED|TOO_MANY_ROWS_OR_BYTES/.test(
        message,
      ),
    close: () => [...readers, writer].forEach(session => session.close()),
  };
}

serveProcess(openDatabase()).catch((error: unknown) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
