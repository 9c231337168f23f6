import { parseArgs } from 'node:util';
import { RedisServer } from '@slipway/e2e/src/processes/RedisServer.ts';
import { readCount } from '../arguments.ts';
import { runBench } from '../runBench.ts';
import { percentile, summary, type Row } from '../workspaces/Row.ts';
import { measure, type Question } from './measure.ts';
import { PlumbedServer, type Plumbing } from './PlumbedServer.ts';

// What our plumbing costs a request: `yarn bench:group-a`. Exits with 1 when the
// target is missed, so that it can stand in a pipeline.

const TARGET_MS = 0.3;

const QUESTIONS: readonly Question[] = [
  {
    what: 'answered, with a service token',
    token: 'bench-token-Sk7vXr2LmZ9pTn4WcY6hBj3F',
    status: 200,
  },
  { what: 'refused, without a credential', status: 401 },
];

function rowsOf(
  question: Question,
  servers: readonly PlumbedServer[],
  [stock, ...others]: number[][],
): Row[] {
  return others.map((latencies, index) => {
    const overhead = percentile(latencies, 50) - percentile(stock, 50);
    const { plumbing } = servers[index + 1];
    return {
      what: `${question.what}; ${plumbing.name}`,
      target: plumbing.redis ? '-' : `median + ${TARGET_MS} ms`,
      measured: `${overhead >= 0 ? '+' : ''}${overhead.toFixed(
        3,
      )} ms: ${summary(latencies)}`,
      beside: `stock Backstage: ${summary(stock)}`,
      met: plumbing.redis ? null : overhead <= TARGET_MS,
    };
  });
}

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '10_000' } },
  });
  const requests = readCount('requests', values.requests);
  const redis = RedisServer.isInstalled()
    ? await RedisServer.start()
    : undefined;
  const plumbings: Plumbing[] = [
    { name: 'stock', ours: false },
    { name: 'limits in memory', ours: true },
    ...(redis
      ? [{ name: 'limits in Redis', ours: true, redis: redis.url }]
      : []),
  ];
  const servers: PlumbedServer[] = [];
  try {
    for (const plumbing of plumbings) {
      servers.push(await PlumbedServer.start(plumbing));
    }
    const rows: Row[] = [];
    for (const question of QUESTIONS) {
      const latencies = await measure(servers, { question, requests });
      rows.push(...rowsOf(question, servers, latencies));
    }
    return rows;
  } finally {
    await Promise.all(servers.map(server => server.stop()));
    await redis?.stop();
  }
}

runBench(run);
