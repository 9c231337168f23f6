import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import { sendTimedLoad } from '../../timedLoad.ts';
import { duration, percentile, type Row, summary } from '../../runBench.ts';
import { Builds } from '../Builds.ts';
import { cpuMs } from '../../processUse.ts';
import { requestHeaders as headers, type RunningServer } from '../servers.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
/** Rounds alternate between the servers, so that other load on the machine slows both. */
const ROUNDS = 3;
const SHARE_TARGET = 0.5;
const BURST = {
  connections: 50,
  triggers: 500,
  bursts: 7,
  pauseMs: 500,
  p99: 50,
};

/** A job with a parameter. */
export const PARAMETER_JOB = {
  concurrent: true,
  parameters: [{ name: 'BRANCH', required: true }],
  steps: [{ name: 'Build', run: 'true' }],
};

const trigger: Dispatcher.RequestOptions = {
  method: 'POST',
  path: '/job/build/buildWithParameters',
  headers,
  body: JSON.stringify({ parameter: [{ name: 'BRANCH', value: 'main' }] }),
};

/** Measures the throughput of triggers that are only stored, as a share of the bare server's. */
export async function triggerShare(options: {
  service: RunningServer;
  bare: RunningServer;
  seconds: number;
}): Promise<Row> {
  const load = (origin: string, request: Dispatcher.RequestOptions) =>
    sendTimedLoad({
      origin,
      request,
      status: 201,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: (options.seconds * 1_000) / ROUNDS,
    });
  const sums = { service: 0, bare: 0, acknowledged: 0 };
  const latencies: number[] = [];
  const bareTrigger = { ...trigger, path: '/builds' };
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.bare += (await load(options.bare.url, bareTrigger)).perSecond;
    const result = await load(options.service.url, trigger);
    sums.service += result.perSecond;
    sums.acknowledged += result.acknowledged;
    latencies.push(...result.latencies);
  }
  await checkCount(options.service, sums.acknowledged);
  const share = sums.service / sums.bare;
  const rate = (sum: number) =>
    `${Math.round(sum / ROUNDS).toLocaleString('en')}/s`;
  return {
    what: `triggers taken in, durable, ${CONNECTIONS} connections`,
    target: `≥ ${SHARE_TARGET * 100} % of bare`,
    measured: `${(share * 100).toFixed(0)} %, ${rate(
      sums.service,
    )}, ${summary(latencies)}`,
    beside: `bare Fastify route: ${rate(sums.bare)}`,
    met: share >= SHARE_TARGET,
  };
}

/**
 * Sends bursts of triggers to one server: the first just after its start, the others once it is warm.
 *
 * @param options.isBuilding - true if the server also runs the builds. Waits until the first burst is
 *   built; each later burst arrives while builds of earlier ones run.
 */
export async function triggerBursts(
  server: RunningServer,
  { isBuilding }: { isBuilding: boolean },
): Promise<Row> {
  const { connections, triggers, bursts, pauseMs, p99 } = BURST;
  const builds = new Builds(server, 'build');
  const startedAt = performance.now();
  const all: Burst[] = [];
  for (let number = 0; number < bursts; number += 1) {
    all.push(await sendBurst(server));
    await sleep(pauseMs);
  }
  if (isBuilding) {
    for (let number = 1; number <= triggers; number += 1) {
      await builds.succeeded(number);
    }
  }
  const builtMs = performance.now() - startedAt;
  await builds.close();
  await checkCount(server, bursts * triggers);
  const p99s = all.map(({ latencies }) => percentile(latencies, 99));
  const measured = percentile(p99s, 50);
  const list = (each: (burst: Burst) => number) =>
    all.map(burst => each(burst).toFixed(1)).join(', ');
  const built = isBuilding ? `; the first built in ${duration(builtMs)}` : '';
  return {
    what: `${bursts} bursts of ${triggers} triggers over ${connections} connections, ${
      isBuilding ? 'while it builds' : 'without builds'
    }`,
    target: `median of p99 ≤ ${p99} ms`,
    measured: `first p99 ${duration(p99s[0])}, median of p99 ${duration(
      measured,
    )}, ${summary(all.flatMap(({ latencies }) => latencies))}`,
    beside: `p99 of each: ${list(({ latencies }) =>
      percentile(latencies, 99),
    )} ms; CPU per trigger: ${list(
      ({ cpuMs: used }) => used / triggers,
    )} ms${built}`,
    met: measured <= p99,
  };
}

/** The measurements of one burst. */
interface Burst {
  latencies: number[];
  /** Processor time that the server used until it had responded to all triggers, in milliseconds. */
  cpuMs: number;
}

/** Sends many triggers concurrently, over new connections. */
async function sendBurst(server: RunningServer): Promise<Burst> {
  const { connections, triggers } = BURST;
  const cpuBefore = cpuMs(server.pid);
  const latencies: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(server.url);
      for (let left = triggers / connections; left > 0; left -= 1) {
        const sentAt = performance.now();
        const { statusCode, body } = await client.request(trigger);
        const text = await body.text();
        if (statusCode !== 201) {
          throw new Error(`A trigger was answered ${statusCode}: ${text}`);
        }
        latencies.push(performance.now() - sentAt);
      }
      await client.close();
    }),
  );
  return { latencies, cpuMs: cpuMs(server.pid) - cpuBefore };
}

/** @throws Error unless there is exactly one build per acknowledged trigger. */
async function checkCount(
  server: RunningServer,
  acknowledged: number,
): Promise<void> {
  const builds = new Builds(server, 'build');
  const count = await builds.count();
  await builds.close();
  if (count !== acknowledged) {
    throw new Error(`${acknowledged} acknowledged, ${count} stored`);
  }
}
