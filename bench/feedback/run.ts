import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FakePortal } from '@slipway/service-kit/testing';
import type { Dispatcher } from 'undici';
import { readCount } from '../arguments.ts';
import { type Row, runBench, summary } from '../runBench.ts';
import { type RunningServer, startServer } from '../startServer.ts';
import { sendTimedLoad, type TimedResult } from '../timedLoad.ts';

/** A rate limit that is enforced but never reached. */
const PER_MINUTE = 100_000_000;

/** Starts the plain Fastify server with its own database file. */
function startBare(filename: string): Promise<RunningServer> {
  const main = fileURLToPath(new URL('./bare/main.ts', import.meta.url));
  return startServer({
    command: ['node', main],
    cwd: 'bench/feedback',
    env: port => ({ PORT: String(port), FILENAME: filename }),
    ready: '/rows',
  });
}

/** Starts the service in production mode with its own database file. */
function startService(options: {
  filename: string;
  portalUrl: string;
}): Promise<RunningServer> {
  const { filename, portalUrl } = options;
  return startServer({
    command: ['node', 'src/main.ts'],
    cwd: 'services/feedback',
    env: port => ({
      APP_CONFIG_feedback: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database: { client: 'better-sqlite3', connection: { filename } },
        portal: { baseUrl: portalUrl },
        auth: {
          apiKeys: [
            { name: 'bench', key: 'bench-automation-key-Ak7vXr2LmZ9pTn4W' },
          ],
        },
        portalToken: 'bench-portal-token-Pk7vXr2LmZ9pTn4WcY',
        rateLimit: { perMinute: PER_MINUTE },
        egress: { allowedHosts: [] },
      }),
    }),
    ready: '/ready',
  });
}

// Measures how fast feedback is accepted and listed: `yarn bench:feedback`. Exits with
// 1 if a target is missed, for use in pipelines.

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
/**
 * Rounds alternate between the servers, so that other load on the machine slows both.
 */
const ROUNDS = 3;
const SHARE_TARGET = 0.5;

const directory = path.resolve(
  import.meta.dirname,
  '../../.data/bench/feedback',
);

/** A request to the service, and the equivalent request to the bare server. */
interface Question {
  what: string;
  beside: string;
  own: Dispatcher.RequestOptions;
  bare: Dispatcher.RequestOptions;
  status: number;
}

/** The result of one request; `acknowledged` counts responses of the service, including the warm-up. */
interface Outcome {
  row: Row;
  acknowledged: number;
}

async function measureQuestion(
  { what, beside, own, bare, status }: Question,
  options: { service: RunningServer; bare: RunningServer; seconds: number },
): Promise<Outcome> {
  const load = (
    origin: string,
    request: Dispatcher.RequestOptions,
  ): Promise<TimedResult> =>
    sendTimedLoad({
      origin,
      request,
      status,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: (options.seconds * 1_000) / ROUNDS,
    });
  const sums = { service: 0, bare: 0, acknowledged: 0 };
  const latencies: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.bare += (await load(options.bare.url, bare)).perSecond;
    const result = await load(options.service.url, own);
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
      what,
      target: `≥ ${SHARE_TARGET * 100} % of bare`,
      measured: `${(share * 100).toFixed(0)} %, ${rate(
        sums.service,
      )}, ${summary(latencies)}`,
      beside: `${beside}: ${rate(sums.bare)}`,
      met: share >= SHARE_TARGET,
    },
  };
}

/** Returns the number of records of the service. */
async function totalOf(
  service: RunningServer,
  authorization: string,
): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/feedback?per_page=1`, {
    headers: { authorization },
  });
  const { pagination } = (await response.json()) as {
    pagination: { total: number };
  };
  return pagination.total;
}

async function measure(options: {
  service: RunningServer;
  bare: RunningServer;
  seconds: number;
  authorization: string;
}): Promise<Row[]> {
  const { service, authorization } = options;
  const submission: Dispatcher.RequestOptions = {
    method: 'POST',
    path: '/api/v1/feedback',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      rating: 2,
      category: 'CI/CD',
      message: 'The build hangs after the upgrade and nobody knows why',
      context: { page: '/builds', component: 'log' },
    }),
  };
  const taken = await measureQuestion(
    {
      what: 'feedback taken in, durable, 32 connections',
      beside: 'bare Fastify route, one row each',
      own: submission,
      bare: { ...submission, path: '/rows' },
      status: 201,
    },
    options,
  );
  const kept = await totalOf(service, authorization);
  if (kept !== taken.acknowledged) {
    throw new Error(`${taken.acknowledged} acknowledged, ${kept} kept`);
  }
  const listed = await measureQuestion(
    {
      what: `a page of ${kept.toLocaleString('en')}, as an admin`,
      beside: 'bare Fastify route, the same two reads',
      own: {
        method: 'GET',
        path: '/api/v1/feedback',
        headers: { authorization },
      },
      bare: { method: 'GET', path: '/rows' },
      status: 200,
    },
    options,
  );
  return [taken.row, listed.row];
}

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '9' } },
  });
  const seconds = readCount('seconds', values.seconds);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const admin = 'user:default/ada';
  const portal = await FakePortal.start({
    groups: { [admin]: ['group:default/platform-admins'] },
  });
  const servers: RunningServer[] = [];
  try {
    const service = await startService({
      filename: path.join(directory, 'db.sqlite'),
      portalUrl: portal.baseUrl,
    });
    servers.push(service);
    const bare = await startBare(path.join(directory, 'bare.sqlite'));
    servers.push(bare);
    const authorization = `Bearer ${await portal.token(admin)}`;
    return await measure({ service, bare, seconds, authorization });
  } finally {
    await Promise.all(servers.map(server => server.stop()));
    await portal.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

runBench(run);
