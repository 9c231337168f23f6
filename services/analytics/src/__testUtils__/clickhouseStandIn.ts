/*
 * A process that replaces a ClickHouse server: it implements the part of the HTTP protocol
 * that @clickhouse/client uses, and runs the real SQL in chDB, which is the same engine.
 * It has no Keeper, so no Replicated tables and no statements on a cluster of several
 * machines; `one` is a cluster of itself.
 *
 * Each value of the parameter `database` has its own database `analytics`, so that tests do
 * not see each other's rows.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { chdb, findToolsFolder, ToolInstaller } from '@slipway/managed-tools';

interface Session {
  queryAsync(
    sql: string,
    options?: { format: string },
  ): Promise<{ text(): string }>;
}

const SESSIONS = 4;
/** Query parameters of a request that are not settings. */
const NO_SETTINGS = new Set([
  'database',
  'default_format',
  'enable_http_compression',
  'query',
  'query_id',
  'session_id',
]);
const configOf = (backups: string) => `<clickhouse>
  <tcp_port>9000</tcp_port>
  <backups><allowed_path>${backups}</allowed_path></backups>
  <macros><shard>1</shard><replica>1</replica></macros>
  <remote_servers><one><shard><internal_replication>true</internal_replication>
    <replica><host>127.0.0.1</host><port>9000</port></replica></shard></one></remote_servers>
</clickhouse>`;

const tool = new ToolInstaller({ toolsFolder: findToolsFolder() }).find(chdb);
const directory = mkdtempSync(path.join(tmpdir(), 'clickhouse-'));
const free: Session[] = [];
const waiting: ((session: Session) => void)[] = [];
let isOpen = false;

/** Opens the engine, on the first request only: most test runs send none. */
function open(): void {
  isOpen = true;
  const config = path.join(directory, 'config.xml');
  writeFileSync(config, configOf(path.join(directory, 'backups')));
  const require = createRequire(import.meta.url);
  const { Session: ChdbSession } = require(tool!.entryPoint);
  for (let count = 0; count < SESSIONS; count += 1) {
    free.push(
      new ChdbSession(path.join(directory, 'data'), {
        connectionArgs: [
          '--max_threads=2',
          `--config-file=${config}`,
          '--max_query_size=4194304',
          // Compiling expressions to machine code takes longer than queries over a few events.
          '--compile_expressions=0',
          '--compile_aggregate_expressions=0',
          '--compile_sort_description=0',
        ],
      }),
    );
  }
}

async function inSession<T>(
  work: (session: Session) => Promise<T>,
): Promise<T> {
  if (!isOpen) {
    open();
  }
  const session =
    free.pop() ??
    (await new Promise<Session>(resolve => waiting.push(resolve)));
  try {
    return await work(session);
  } finally {
    const next = waiting.shift();
    if (next) {
      next(session);
    } else {
      free.push(session);
    }
  }
}

function settingsOf(parameters: URLSearchParams): string {
  return [...parameters]
    .filter(([name]) => !NO_SETTINGS.has(name))
    .map(([name, value]) =>
      /^-?\d+(\.\d+)?$/.test(value)
        ? `${name} = ${value}`
        : `${name} = '${value.replaceAll("'", "''")}'`,
    )
    .join(', ');
}

/** Deletes the files of rewritten parts, as a server does automatically. */
async function cleanParts(session: Session, database: string): Promise<void> {
  const tables = await session.queryAsync(
    `SELECT name FROM system.tables WHERE database = '${database}' AND engine LIKE '%MergeTree'`,
    { format: 'TSV' },
  );
  for (const table of tables.text().split('\n').filter(Boolean)) {
    await session.queryAsync(
      `ALTER TABLE ${database}.${table} DROP PARTITION ID '1900'`,
    );
  }
}

async function run(parameters: URLSearchParams, body: Buffer): Promise<string> {
  const database = parameters.get('database') ?? 'analytics';
  const written = parameters.get('query');
  const sql = (written ?? body.toString())
    .replace(/\banalytics\b/g, database)
    .replace(/ ON CLUSTER '\w+'/g, '')
    .trim();
  const settings = settingsOf(parameters);
  return inSession(async session => {
    const [, insert] =
      /^(INSERT INTO .*?) FORMAT JSONEachRow$/s.exec(sql) ?? [];
    if (insert !== undefined) {
      const lines = body.toString();
      await session.queryAsync(
        `${insert} SETTINGS ${settings} FORMAT JSONEachRow\n${lines}`,
      );
      return '';
    }
    const [, select, format] = /^(.*?)\s*FORMAT (\w+)$/s.exec(sql) ?? [];
    if (select === undefined) {
      return (await session.queryAsync(sql)).text();
    }
    if (select.includes('system.parts')) {
      await cleanParts(session, database);
    }
    // Settings within brackets belong to a subquery.
    const separator = /\bSETTINGS\b[^()]*$/.test(select) ? ',' : ' SETTINGS';
    const result = await session.queryAsync(
      `${select}${settings && `${separator} ${settings}`}`,
      { format },
    );
    return result.text();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
  if (pathname === '/ping') {
    response.end('Ok.\n');
    return;
  }
  const sent = await buffer(request);
  const body =
    request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
  try {
    response.end(await run(searchParams, body));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, code] = /Code: (\d+)/.exec(message) ?? [];
    response.statusCode = 500;
    response.setHeader('X-ClickHouse-Exception-Code', code ?? '1000');
    response.end(message);
  }
}

if (tool) {
  const server = createServer((request, response) => {
    // A client that was killed while sending a request cannot receive a response.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ address: `http://127.0.0.1:${port}` });
  });
  process.once('disconnect', () => {
    rmSync(directory, { recursive: true, force: true });
    process.exit();
  });
} else {
  process.send?.({});
  process.disconnect?.();
}
