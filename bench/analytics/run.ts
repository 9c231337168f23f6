import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../arguments.ts';
import { sendLoad } from '../httpLoad.ts';
import { duration, type Row, runBench } from '../runBench.ts';
import type { RunningServer } from '../startServer.ts';
import { besideRaw } from './besideRaw.ts';
import {
  type Answered,
  askFirst,
  measureQuestions,
  rowsOf,
  sendEvents,
} from './measureQuestions.ts';
import {
  type Engine,
  PROJECT_KEY,
  startBare,
  startService,
} from './servers.ts';

const CONNECTIONS = 32;
/** V8 optimises the code of a service during its first seconds under load. */
const WARM_UP_SECONDS = 4;
/**
 * Rounds alternate between the servers, so that other load on the machine slows both.
 */
const ROUNDS = 3;
const SHARE_TARGET = 0.5;
/** Target for single events per second, on a quiet machine with 2 cores. */
const RATE_TARGET = 11_900;

/** Measures sending single events, each of which is on disk when it is acknowledged. */
async function measureCapture(options: {
  service: RunningServer;
  bare: RunningServer;
  seconds: number;
}): Promise<Row> {
  const { service, bare, seconds } = options;
  const body = JSON.stringify({
    api_key: PROJECT_KEY,
    event: 'signed up',
    distinct_id: 'user-1',
    properties: { plan: 'pro', seats: 3, $pathname: '/welcome' },
  });
  const load = (url: string, loadSeconds: number) =>
    sendLoad({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      status: 200,
      connections: CONNECTIONS,
      seconds: loadSeconds,
    });
  const captureUrl = `${service.url}/api/capture`;
  const rowsUrl = `${bare.url}/rows`;
  await load(rowsUrl, WARM_UP_SECONDS);
  await load(captureUrl, WARM_UP_SECONDS);
  const sums = { service: 0, bare: 0 };
  const p99s: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.bare += (await load(rowsUrl, seconds / ROUNDS)).perSecond;
    const { perSecond, p99 } = await load(captureUrl, seconds / ROUNDS);
    sums.service += perSecond;
    p99s.push(p99);
  }
  const share = sums.service / sums.bare;
  const rate = (sum: number) =>
    `${Math.round(sum / ROUNDS).toLocaleString('en')}/s`;
  return {
    what: `Capture, one event a request, ${CONNECTIONS} connections`,
    target: `≥ ${RATE_TARGET.toLocaleString('en')}/s, ${SHARE_TARGET * 100} % of bare`,
    measured: `${(share * 100).toFixed(0)} %, ${rate(sums.service)}, p99 ${Math.max(
      ...p99s,
    )} ms`,
    beside: `Fastify, one row on disk each: ${rate(sums.bare)}`,
    met: share >= SHARE_TARGET && sums.service / ROUNDS >= RATE_TARGET,
  };
}

// Measures ingest and query speed of the analytics service: `yarn bench:analytics`.
// Exits with 1 if a target is missed, for use in pipelines.

const repository = path.resolve(import.meta.dirname, '../..');
const directory = path.join(repository, '.data/bench/analytics');

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '1_000_000' },
      columns: { type: 'string', default: '10_000_000' },
      seconds: { type: 'string', default: '15' },
      reuse: { type: 'boolean', default: false },
    },
  });
  const events = readCount('events', values.events);
  const columns = readCount('columns', values.columns);
  const seconds = readCount('seconds', values.seconds);
  if (values.reuse) {
    return columnRows(columns);
  }
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  try {
    const capture = await captureRow(seconds);
    const sqlite = await answered('sqlite', events);
    const hasChdb = existsSync(path.join(repository, '.tools/chdb'));
    if (!hasChdb) {
      console.log('chDB is not installed (yarn chdb:install), SQLite alone');
    }
    const chdb = hasChdb ? await answered('chdb', events) : undefined;
    return [
      capture,
      ...rowsOf(events, { sqlite, chdb }),
      ...(hasChdb
        ? [await waitingRow(events), ...(await columnRows(columns))]
        : []),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Measures queries over the columns; inserts the events unless an earlier run kept them (`--reuse`). */
async function columnRows(events: number): Promise<Row[]> {
  console.log(`${events.toLocaleString('en')} events beside raw chDB`);
  return besideRaw(path.join(directory, `columns-${events}`), events);
}

const FIRST_TARGET_MS = 1_500;

/**
 * Measures the first query after a start, while all events are still in the journal.
 */
async function waitingRow(events: number): Promise<Row> {
  const size = events.toLocaleString('en');
  console.log(`${size} events that wait`);
  const options = {
    directory: path.join(directory, 'waiting'),
    engine: 'chdb' as const,
  };
  const before = await startService({ ...options, moveFrom: 1_000_000_000 });
  try {
    await sendEvents(before, events);
  } finally {
    await before.stop();
  }
  const service = await startService(options);
  try {
    const ms = await askFirst(service, events);
    return {
      what: `First question after a start, ${size} events waiting`,
      target: `${FIRST_TARGET_MS / 1_000} s`,
      measured: duration(ms),
      beside: '—',
      met: ms <= FIRST_TARGET_MS,
    };
  } finally {
    await service.stop();
  }
}

async function captureRow(seconds: number): Promise<Row> {
  console.log('Single events');
  const bare = await startBare(path.join(directory, 'bare.sqlite'));
  const service = await startService({
    directory: path.join(directory, 'capture'),
    engine: 'sqlite',
  });
  try {
    return await measureCapture({ service, bare, seconds });
  } finally {
    await service.stop();
    await bare.stop();
  }
}

async function answered(engine: Engine, events: number): Promise<Answered> {
  console.log(`${events.toLocaleString('en')} events, ${engine}`);
  const service = await startService({
    directory: path.join(directory, engine),
    engine,
  });
  try {
    return await measureQuestions(service, events);
  } finally {
    await service.stop();
  }
}

runBench(run);
