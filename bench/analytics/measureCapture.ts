import { sendLoad } from '../feedback/load.ts';
import { summary, type Row } from '../workspaces/Row.ts';
import type { RunningServer } from '../startServer.ts';
import { PROJECT_KEY } from './servers.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
/** They take turns, so that whatever else the machine does slows both. */
const ROUNDS = 3;
const SHARE_TARGET = 0.5;

/** Single events, each on disk when it is acknowledged. */
export async function measureCapture(options: {
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
  const load = (origin: string, path: string) =>
    sendLoad({
      origin,
      request: {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body,
      },
      status: 200,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: (seconds * 1_000) / ROUNDS,
    });
  const sums = { service: 0, bare: 0 };
  const latencies: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.bare += (await load(bare.url, '/rows')).perSecond;
    const result = await load(service.url, '/api/capture');
    sums.service += result.perSecond;
    latencies.push(...result.latencies);
  }
  const share = sums.service / sums.bare;
  const rate = (sum: number) =>
    `${Math.round(sum / ROUNDS).toLocaleString('en')}/s`;
  return {
    what: `Capture, one event a request, ${CONNECTIONS} connections`,
    target: `≥ ${SHARE_TARGET * 100} % of bare`,
    measured: `${(share * 100).toFixed(0)} %, ${rate(sums.service)}, ${summary(
      latencies,
    )}`,
    beside: `Fastify, one row on disk each: ${rate(sums.bare)}`,
    met: share >= SHARE_TARGET,
  };
}
