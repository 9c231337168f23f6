import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Dispatcher } from 'undici';
import { readCount } from '../arguments.ts';
import { sendLoad } from '../feedback/load.ts';
import {
  duration,
  percentile,
  type Row,
  runBench,
  summary,
} from '../runBench.ts';
import {
  requestHeaders as headers,
  type RunningServer,
  startBare,
  startService,
} from './servers.ts';

// Measures how fast triggers are accepted and builds start: `yarn bench:build-server`.
// Exits with 1 if a target is missed, for use in pipelines.

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
/**
 * Rounds alternate between the servers, so that other load on the machine slows both.
 */
const ROUNDS = 3;
const SHARE_TARGET = 0.5;
const STARTS = 40;
const START_TARGET_MS = 250;

const directory = path.resolve(
  import.meta.dirname,
  '../../.data/bench/build-server',
);

const trigger: Dispatcher.RequestOptions = {
  method: 'POST',
  path: '/job/build/buildWithParameters',
  headers,
  body: JSON.stringify({ parameter: [{ name: 'BRANCH', value: 'main' }] }),
};

async function measureShare(
  question: {
    what: string;
    own: Dispatcher.RequestOptions;
    bare: Dispatcher.RequestOptions;
    status: number;
  },
  options: { service: RunningServer; bare: RunningServer; seconds: number },
): Promise<{ row: Row; acknowledged: number }> {
  const load = (origin: string, request: Dispatcher.RequestOptions) =>
    sendLoad({
      origin,
      request,
      status: question.status,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: (options.seconds * 1_000) / ROUNDS,
    });
  const sums = { service: 0, bare: 0, acknowledged: 0 };
  const latencies: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.bare += (await load(options.bare.url, question.bare)).perSecond;
    const result = await load(options.service.url, question.own);
    sums.service += result.perSecond;
    sums.acknowledged += result.acknowledged;
    latencies.push(...result.latencies);
  }
  const share = sums.service / sums.bare;
  const rate = (sum: number) =>
    `${Math.round(sum / ROUNDS).toLocaleString('en')}/s`;
  return {
    acknowledged: sums.acknowledged,
    row: {
      what: question.what,
      target: `≥ ${SHARE_TARGET * 100} % of bare`,
      measured: `${(share * 100).toFixed(0)} %, ${rate(
        sums.service,
      )}, ${summary(latencies)}`,
      beside: `bare Fastify route: ${rate(sums.bare)}`,
      met: share >= SHARE_TARGET,
    },
  };
}

/**
 * Measures the time from sending a trigger to the start of its first step, in
 * milliseconds.
 */
async function measureStarts({ url }: RunningServer): Promise<number[]> {
  const ask = async (pathname: string) =>
    (await fetch(`${url}${pathname}`, { headers })).json();
  const waits: number[] = [];
  for (let number = 1; number <= STARTS; number += 1) {
    const sent = Date.now();
    await fetch(`${url}${trigger.path}`, {
      method: 'POST',
      headers,
      body: String(trigger.body),
    });
    for (;;) {
      const {
        number: last,
        building,
        steps,
      } = await ask('/job/build/lastBuild/api/json');
      if (last === number && building === false) {
        waits.push(steps[0].startedAt - sent);
        break;
      }
      await sleep(5);
    }
  }
  return waits;
}

/** @throws Error unless each acknowledged trigger is in the queue exactly once. */
async function checkQueue(
  { url }: RunningServer,
  acknowledged: number,
): Promise<void> {
  const response = await fetch(`${url}/job/build/api/json`, { headers });
  const { nextBuildNumber } = await response.json();
  if (nextBuildNumber !== acknowledged + 1) {
    throw new Error(
      `${acknowledged} acknowledged, ${nextBuildNumber - 1} queued`,
    );
  }
}

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '9' } },
  });
  const seconds = readCount('seconds', values.seconds);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const servers: RunningServer[] = [];
  const started = async (server: Promise<RunningServer>) => {
    servers.push(await server);
    return server;
  };
  try {
    const runner = await started(
      startService({ directory: path.join(directory, 'run'), executors: 2 }),
    );
    const waits = await measureStarts(runner);
    const bare = await started(startBare(path.join(directory, 'bare.sqlite')));
    const intake = await started(
      startService({ directory: path.join(directory, 'take'), executors: 0 }),
    );
    const taken = await measureShare(
      {
        what: 'triggers taken in, durable, 32 connections',
        own: trigger,
        bare: { ...trigger, path: '/builds' },
        status: 201,
      },
      { service: intake, bare, seconds },
    );
    await checkQueue(intake, taken.acknowledged);
    return [
      taken.row,
      {
        what: 'from the trigger to its first step, one at a time',
        target: `p95 ≤ ${START_TARGET_MS} ms`,
        measured: summary(waits),
        beside: `the best: ${duration(Math.min(...waits))}`,
        met: percentile(waits, 95) <= START_TARGET_MS,
      },
    ];
  } finally {
    await Promise.all(servers.map(server => server.stop()));
    rmSync(directory, { recursive: true, force: true });
  }
}

runBench(run);
