import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../arguments.ts';
import { runBench } from '../runBench.ts';
import type { RunningServer } from '../startServer.ts';
import { summary, type Row } from '../workspaces/Row.ts';
import { sendLoad } from './client/sendLoad.ts';
import { CLIENT, createFlags, startBare, startService } from './servers.ts';

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
