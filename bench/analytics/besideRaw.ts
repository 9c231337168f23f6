import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { forkJob } from '../forkedJob.ts';
import { descendantsMiB } from '../processUse.ts';
import { duration, percentile, type Row } from '../runBench.ts';
import type { RunningServer } from '../startServer.ts';
import { DAYS, type RawAnswers, type RawJob } from './rawChdb.ts';
import { API_TOKEN, PROJECT, startService } from './servers.ts';

const DAY_MS = 24 * 3_600_000;
/** Longer than the service caches results of equal plans, in milliseconds. */
const KEPT_MS = 6_000;
const IDLE_SECONDS = 8;
const ROUNDS = 2;
const TIMES = 3;
const FACTOR = 1.2;
const SLACK_MS = 10;
const FUNNEL_TARGET_MS = 600;
const TRENDS_TARGET_MS = 1_000;
const DASHBOARD_TARGET_MS = 3_000;
const IDLE_TARGET_MB = 450;

interface Question {
  query: Record<string, unknown> & { kind: string };
  /** The query that a ClickHouse expert would write for the same result. */
  raw: string;
}

const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const since = (days: number) =>
  `timestamp >= fromUnixTimestamp64Milli(${midnight - days * DAY_MS})`;
/** Excludes future events, as the service does. */
const FROM = `FROM analytics.events WHERE project_id = '${PROJECT}' AND timestamp < now64(3)`;
const node = (event: string, rest: object = {}) => ({
  kind: 'EventsNode',
  event,
  ...rest,
});
const trends = (series: object, days: number, rest: object = {}) => ({
  kind: 'TrendsQuery',
  series: [series],
  dateRange: { date_from: `-${days}d` },
  ...rest,
});
const STEPS = ['$pageview', 'added', 'bought'];
const FUNNEL = 'Funnel of three steps, 7 days';
const MONTH = DAYS - 1;

const QUESTIONS: Readonly<Record<string, Question>> = {
  'Count by event': {
    query: {
      kind: 'EventsQuery',
      select: ['event', 'count()'],
      after: 'all',
    },
    raw: `SELECT event, count() ${FROM} GROUP BY event ORDER BY count() DESC`,
  },
  'Newest 100 of a day': {
    query: { kind: 'EventsQuery', select: ['*'], after: '-1d' },
    raw: `SELECT uuid, event, properties, timestamp, distinct_id, created_at ${FROM} AND ${since(1)} ORDER BY timestamp DESC LIMIT 101`,
  },
  'Sum of a property': {
    query: {
      kind: 'EventsQuery',
      select: ['properties.plan', 'sum(properties.price)'],
      event: 'bought',
      after: 'all',
    },
    raw: `SELECT texts['plan'] AS plan, sum(numbers['price']) ${FROM} AND event = 'bought' GROUP BY plan ORDER BY plan`,
  },
  'Trend: page views by day': {
    query: trends(node('$pageview'), MONTH),
    raw: `SELECT toDate(timestamp) AS day, count() ${FROM} AND event = '$pageview' AND ${since(MONTH)} GROUP BY day`,
  },
  'Trend: users by day': {
    query: trends(node('$pageview', { math: 'dau' }), MONTH),
    raw: `SELECT toDate(timestamp) AS day, uniqExact(distinct_id) ${FROM} AND event = '$pageview' AND ${since(MONTH)} GROUP BY day`,
  },
  'Trend: purchases by browser': {
    query: trends(node('bought'), MONTH, {
      breakdownFilter: { breakdown: '$browser' },
    }),
    raw: `SELECT toDate(timestamp) AS day, texts['$browser'] AS browser, count() ${FROM} AND event = 'bought' AND ${since(MONTH)} GROUP BY day, browser`,
  },
  [FUNNEL]: {
    query: {
      kind: 'FunnelsQuery',
      series: STEPS.map(event => node(event)),
      dateRange: { date_from: '-7d' },
    },
    raw: `SELECT countIf(depth >= 1), countIf(depth >= 2), countIf(depth >= 3) FROM (SELECT windowFunnel(1209600000, 'strict_once')(toUInt64(toUnixTimestamp64Milli(timestamp)), ${STEPS.map(
      event => `event = '${event}'`,
    ).join(', ')}) AS depth ${FROM} AND event IN (${STEPS.map(
      event => `'${event}'`,
    ).join(', ')}) AND ${since(7)} GROUP BY distinct_id)`,
  },
};

const useRaw = (job: RawJob) =>
  forkJob<RawAnswers>(new URL('./rawChdb.ts', import.meta.url).href, job);

/**
 * Inserts events into the service's files, and runs each query through the service and
 * through raw chDB on the same files. Alternates between the two, because only one process
 * can open the files at a time.
 *
 * @param directory - the service's directory; it keeps the events of an earlier run.
 */
export async function besideRaw(
  directory: string,
  events: number,
): Promise<Row[]> {
  const loaded = path.join(directory, 'loaded');
  if (!existsSync(loaded)) {
    rmSync(directory, { recursive: true, force: true });
    await useRaw({ directory, load: events });
    writeFileSync(loaded, '');
  }
  const own: Record<string, number[]> = {};
  const raw: Record<string, number[]> = {};
  const rows: Row[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await useRaw({
      directory,
      questions: Object.fromEntries(
        Object.entries(QUESTIONS).map(([name, { raw: sql }]) => [name, sql]),
      ),
      times: TIMES + 1,
    });
    for (const [name, { ms }] of Object.entries(answers)) {
      // Drops the first run, which reads the files from disk.
      (raw[name] ??= []).push(...ms.slice(1));
    }
    const service = await startService({
      directory,
      engine: 'chdb',
      idle: IDLE_SECONDS,
    });
    try {
      for (let time = 0; time <= TIMES; time += 1) {
        for (const [name, { query }] of Object.entries(QUESTIONS)) {
          const ms = await ask(service, asNew(query, round * 10 + time));
          if (time > 0) {
            (own[name] ??= []).push(ms);
          }
        }
        await sleep(KEPT_MS);
      }
      if (round === ROUNDS - 1) {
        rows.push(await dashboardRow(service, events), await idleRow());
      }
    } finally {
      await service.stop();
    }
  }
  return [
    ...Object.keys(QUESTIONS).map(name =>
      questionRow(name, { own: own[name], raw: raw[name], events }),
    ),
    trendsRow(
      Object.entries(own).flatMap(([name, ms]) =>
        name.startsWith('Trend') ? ms : [],
      ),
      events,
    ),
    ...rows,
  ];
}

/**
 * Returns a variant of a query with the same cost, so that its result is not cached.
 */
function asNew(query: { kind: string }, number: number): object {
  return query.kind === 'EventsQuery'
    ? { ...query, limit: 100 + number }
    : { ...query, tags: { number } };
}

function questionRow(
  name: string,
  measured: { own: number[]; raw: number[]; events: number },
): Row {
  const own = percentile(measured.own, 50);
  const raw = percentile(measured.raw, 50);
  const isFunnel = name === FUNNEL;
  const target = isFunnel ? FUNNEL_TARGET_MS : FACTOR * raw + SLACK_MS;
  return {
    what: `${name}, ${measured.events.toLocaleString('en')} events`,
    target: isFunnel
      ? duration(FUNNEL_TARGET_MS)
      : `${FACTOR} × raw + ${SLACK_MS} ms`,
    measured: `${duration(own)}, ${(own / raw).toFixed(2)} × raw`,
    beside: `raw chDB: ${duration(raw)}`,
    met: own <= target,
  };
}

function trendsRow(ms: readonly number[], events: number): Row {
  const p95 = percentile(ms, 95);
  return {
    what: `Trends, ${events.toLocaleString('en')} events`,
    target: `p95 ${duration(TRENDS_TARGET_MS)}`,
    measured: `p95 ${duration(p95)} of ${ms.length}`,
    beside: '—',
    met: p95 <= TRENDS_TARGET_MS,
  };
}

/**
 * Loads a dashboard twice: the first time every tile is computed, the second time it
 * comes from the cache.
 */
async function dashboardRow(
  service: RunningServer,
  events: number,
): Promise<Row> {
  const tiles = Array.from({ length: 20 }, (_, tile) =>
    trends(
      node(['bought', 'added', 'searched', 'opened'][tile % 4], {
        math: tile % 2 ? 'dau' : 'total',
      }),
      7 + tile,
    ),
  );
  const open = async () => {
    const begun = performance.now();
    await Promise.all(tiles.map(tile => ask(service, tile, 'lazy_async')));
    return performance.now() - begun;
  };
  const first = await open();
  const again = await open();
  return {
    what: `Dashboard of ${tiles.length} tiles, ${events.toLocaleString('en')} events`,
    target: duration(DASHBOARD_TARGET_MS),
    measured: duration(first),
    beside: `opened again: ${duration(again)}`,
    met: first <= DASHBOARD_TARGET_MS,
  };
}

/** Measures the memory of the service and its child processes once the engine has stopped. */
async function idleRow(): Promise<Row> {
  const withEngine = Math.round(descendantsMiB(process.pid));
  await sleep((IDLE_SECONDS + 2) * 1_000);
  const idle = Math.round(descendantsMiB(process.pid));
  return {
    what: 'Memory of all processes, idle',
    target: `${IDLE_TARGET_MB} MB`,
    measured: `${idle} MB`,
    beside: `after the queries: ${withEngine} MB`,
    met: idle <= IDLE_TARGET_MB,
  };
}

async function ask(
  { url }: RunningServer,
  query: object,
  refresh = 'blocking',
): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${url}/api/query`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${API_TOKEN}`,
    },
    body: JSON.stringify({ query, refresh }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`A query got ${response.status}: ${text}`);
  }
  return performance.now() - begun;
}
