import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCount } from '../arguments.ts';
import { type Row, runBench, summary } from '../runBench.ts';
import { type RunningServer, startServer } from '../startServer.ts';
import { sendLoad } from './load.ts';

const ADMIN = '*:*.bench-admin-Ek7vXr2LmZ9pTn4WcY6hBj3F';
/** The token that the load is sent with. */
const CLIENT = '*:production.bench-client-Ck7vXr2LmZ9pTn4WcY6hBj3F';
/** A rate limit that is counted and never reached. */
const PER_MINUTE = 100_000_000;

/** Fastify with nothing on it. */
function startBare(): Promise<RunningServer> {
  const main = fileURLToPath(new URL('./bare/main.ts', import.meta.url));
  return startServer({
    command: ['node', main],
    cwd: 'bench/feature-flags',
    env: port => ({ PORT: String(port) }),
    ready: '/plain',
  });
}

/** The service as in production, on a database file of its own. */
function startService(filename: string): Promise<RunningServer> {
  return startServer({
    command: ['node', 'src/main.ts'],
    cwd: 'services/feature-flags',
    env: port => ({
      APP_CONFIG_featureFlags: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database: { client: 'better-sqlite3', connection: { filename } },
        environment: 'production',
        tokens: [
          { name: 'bench', type: 'client', token: CLIENT },
          { name: 'bench-admin', type: 'admin', token: ADMIN },
        ],
        rateLimit: { perMinute: PER_MINUTE },
        egress: { allowedHosts: [] },
      }),
    }),
    ready: '/ready',
  });
}

/** Creates flags as an admin does, half of them rolled out to a part of the users. */
async function createFlags(url: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const name = `flag-${String(number).padStart(5, '0')}`;
    const response = await fetch(`${url}/api/admin/features`, {
      method: 'POST',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        description: `Switches what ${name} stands for`,
        enabled: number % 3 !== 0,
        strategies: [
          number % 2
            ? { name: 'default' }
            : {
                name: 'gradualRolloutUserId',
                parameters: { percentage: '50', groupId: name },
              },
        ],
      }),
    });
    if (response.status !== 201) {
      throw new Error(`${name} was answered ${response.status}`);
    }
  }
}

// How fast clients get their flags: `yarn bench:feature-flags`. Exits with 1 when a
// target is missed, so that it can stand in a pipeline.

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
/** They take turns, so that whatever else the machine does slows both. */
const ROUNDS = 3;
const SHARE_TARGET = 0.5;

const directory = path.resolve(
  import.meta.dirname,
  '../../.data/bench/feature-flags',
);

/** One way of asking, and the route of the bare server that answers the same bytes. */
interface Question {
  what: string;
  bare: string;
  headers: Record<string, string>;
  status: number;
}

async function measureQuestion(
  { what, bare: barePath, headers, status }: Question,
  options: { service: RunningServer; bare: RunningServer; seconds: number },
): Promise<Row> {
  const { service, bare, seconds } = options;
  const load = (url: string) =>
    sendLoad({
      url,
      headers,
      status,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: (seconds * 1_000) / ROUNDS,
    });
  const sums = { service: 0, bare: 0 };
  const latencies: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.bare += (await load(`${bare.url}${barePath}`)).perSecond;
    const own = await load(`${service.url}/api/client/features`);
    sums.service += own.perSecond;
    latencies.push(...own.latencies);
  }
  const share = sums.service / sums.bare;
  const rate = (sum: number) =>
    `${Math.round(sum / ROUNDS).toLocaleString('en')}/s`;
  return {
    what,
    target: `≥ ${SHARE_TARGET * 100} % of bare`,
    measured: `${(share * 100).toFixed(0)} %, ${rate(sums.service)}, ${summary(
      latencies,
    )}`,
    beside: `bare Fastify route: ${rate(sums.bare)}`,
    met: share >= SHARE_TARGET,
  };
}

async function measure(options: {
  flags: number;
  seconds: number;
  service: RunningServer;
  bare: RunningServer;
}): Promise<Row[]> {
  const { flags, service, bare } = options;
  await createFlags(service.url, flags);
  const authorization = CLIENT;
  const answer = await fetch(`${service.url}/api/client/features`, {
    headers: { authorization },
  });
  const text = await answer.text();
  await fetch(`${bare.url}/answer`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  const size = `${flags.toLocaleString('en')} flags, ${Math.round(
    text.length / 1_000,
  )} kB`;
  const questions: Question[] = [
    {
      what: `${size}: nothing new, 304`,
      bare: '/unchanged',
      headers: {
        authorization,
        'if-none-match': answer.headers.get('etag') ?? '',
      },
      status: 304,
    },
    {
      what: `${size}: all of them, packed`,
      bare: '/packed',
      headers: { authorization, 'accept-encoding': 'gzip' },
      status: 200,
    },
    {
      what: `${size}: all of them, plain`,
      bare: '/plain',
      headers: { authorization },
      status: 200,
    },
  ];
  const rows: Row[] = [];
  for (const question of questions) {
    rows.push(await measureQuestion(question, options));
  }
  return rows;
}

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: {
      flags: { type: 'string', default: '1_000' },
      seconds: { type: 'string', default: '9' },
    },
  });
  const flags = readCount('flags', values.flags);
  const seconds = readCount('seconds', values.seconds);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const servers: RunningServer[] = [];
  try {
    const service = await startService(path.join(directory, 'db.sqlite'));
    servers.push(service);
    const bare = await startBare();
    servers.push(bare);
    return await measure({ flags, seconds, service, bare });
  } finally {
    await Promise.all(servers.map(server => server.stop()));
    rmSync(directory, { recursive: true, force: true });
  }
}

runBench(run);
