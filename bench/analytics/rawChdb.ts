import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeEngineConfig } from '@slipway/analytics/src/store/chdb/engineConfig.ts';
import { schemaOf } from '@slipway/analytics/src/store/sql/clickhouseTables.ts';
import { chdb, findToolsFolder, ToolInstaller } from '@slipway/managed-tools';
import { doJob } from '../forkedJob.ts';
import { PROJECT } from './servers.ts';

/** A run of chDB on the service's files, without the service. */
export interface RawJob {
  /** The service's `events.directory`. */
  directory: string;
  /** Number of events to insert; the files must not exist yet. */
  load?: number;
  /** Statements to measure, by query name. */
  questions?: Record<string, string>;
  /** Number of runs of each statement. */
  times?: number;
}

/** Duration of each run of each statement, in milliseconds. */
export type RawAnswers = Record<string, { ms: number[] }>;

interface Session {
  queryAsync(
    sql: string,
    options?: { format: string },
  ): Promise<{ text(): string }>;
  close(): void;
}

/** The service's default, for a fair comparison. */
const THREADS = 2;
const MEMORY_BYTES = 1024 * 1024 * 1024;
const BLOCK = 500_000;
export const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const USERS = 100_000;

const EVENT_NAMES = [
  ...Array<string>(10).fill('$pageview'),
  ...Array<string>(3).fill('$autocapture'),
  ...Array<string>(3).fill('searched'),
  ...Array<string>(2).fill('added'),
  'bought',
  'opened',
]
  .map(name => `'${name}'`)
  .join(', ');

doJob<RawJob>(async ({ directory, load, questions = {}, times = 1 }) => {
  const files = path.join(directory, 'chdb');
  mkdirSync(files, { recursive: true });
  const tool = new ToolInstaller({ toolsFolder: findToolsFolder() }).find(chdb);
  const { Session: ChdbSession } = createRequire(import.meta.url)(
    tool!.entryPoint,
  ) as { Session: new (directory: string, options: object) => Session };
  const session = new ChdbSession(path.join(files, 'data'), {
    connectionArgs: [
      `--max_threads=${THREADS}`,
      `--config-file=${writeEngineConfig({
        directory: files,
        memoryBytes: MEMORY_BYTES,
      })}`,
    ],
  });
  const ask = async (sql: string): Promise<unknown[][]> => {
    const answer = await session.queryAsync(sql, { format: 'JSONCompact' });
    const text = answer.text();
    return text === '' ? [] : JSON.parse(text).data;
  };
  if (load !== undefined) {
    await insertEvents(load, ask);
  }
  const answers: RawAnswers = {};
  // In the same order as in the service: repeating one statement would find warm caches.
  for (let time = 0; time < times; time += 1) {
    for (const [name, sql] of Object.entries(questions)) {
      const begun = performance.now();
      await ask(sql);
      (answers[name] ??= { ms: [] }).ms.push(performance.now() - begun);
    }
  }
  session.close();
  return answers;
});

/**
 * Inserts events in chronological order, up to now: half of them page views, a tenth
 * `added`, a twentieth `bought`; with about 130 bytes of properties each.
 */
async function insertEvents(
  events: number,
  ask: (sql: string) => Promise<unknown[][]>,
): Promise<void> {
  for (const statement of schemaOf()) {
    await ask(statement);
  }
  const until = Date.now();
  const from = until - DAYS * DAY_MS;
  for (let first = 0; first < events; first += BLOCK) {
    const count = Math.min(BLOCK, events - first);
    await ask(`INSERT INTO analytics.events
      (project_id, uuid, event, distinct_id, timestamp, created_at, properties, texts, numbers, journal, seq)
      WITH
        cityHash64(number) AS h,
        toUInt32(h % ${USERS}) AS user,
        [${EVENT_NAMES}][1 + intDiv(h, 1000003) % 20] AS event,
        fromUnixTimestamp64Milli(toInt64(${from} + number * ${(DAYS * DAY_MS) / events}), 'UTC') AS at,
        ['free', 'team', 'pro'][1 + user % 3] AS plan,
        ['Chrome', 'Firefox', 'Safari', 'Edge'][1 + intDiv(user, 7) % 4] AS browser,
        concat('/page/', toString(intDiv(h, 911) % 50)) AS page,
        concat('s-', toString(user), '-', toString(toDate(at))) AS visit,
        (intDiv(h, 31) % 400) / 4 AS price
      SELECT '${PROJECT}', generateUUIDv4(), event, concat('user-', toString(user)), at, at,
        concat('{"plan":"', plan, '","price":', toString(price), ',"$pathname":"', page, '","$browser":"', browser, '","$session_id":"', visit, '","$lib":"bench"}'),
        map('plan', plan, 'price', toString(price), '$pathname', page, '$browser', browser, '$session_id', visit, '$lib', 'bench'),
        map('price', price), '', 0
      FROM numbers(${first}, ${count})
      SETTINGS async_insert = 0, max_partitions_per_insert_block = 0`);
  }
  // Waits for merges, which would slow down the first measurement.
  const merging = async () =>
    Number((await ask('SELECT count() FROM system.merges'))[0][0]);
  while ((await merging()) > 0) {
    await sleep(500);
  }
}
