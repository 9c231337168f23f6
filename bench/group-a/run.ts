import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { RedisServer } from '@slipway/e2e/src/processes/RedisServer.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { Client } from 'undici';
import { readCount } from '../arguments.ts';
import { percentile, type Row, runBench, summary } from '../runBench.ts';

const main = fileURLToPath(new URL('./server/main.ts', import.meta.url));

/** A rate limit higher than the number of requests, so that none is rejected. */
const LIMIT = 1_000_000_000;

/** A variant of the middleware in front of the route. */
interface Plumbing {
  name: string;
  /** False for Backstage's own middleware. */
  ours: boolean;
  /** URL of the Redis server for rate limits; if missing, limits are in memory. */
  redis?: string;
}

/** A backend with one variant of the middleware. */
class PlumbedServer {
  readonly plumbing: Plumbing;
  readonly origin: string;
  readonly #process: ServerProcess;

  private constructor(options: {
    plumbing: Plumbing;
    origin: string;
    process: ServerProcess;
  }) {
    this.plumbing = options.plumbing;
    this.origin = options.origin;
    this.#process = options.process;
  }

  static async start(plumbing: Plumbing): Promise<PlumbedServer> {
    const [port] = await findFreePorts(1);
    const origin = `http://127.0.0.1:${port}`;
    const server = new ServerProcess({
      command: [
        'node',
        '--require',
        '@backstage/cli/config/nodeTransform.cjs',
        main,
        '--config',
        'app-config.yaml',
      ],
      cwd: 'bench/group-a/server',
      env: {
        ...process.env,
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        APP_CONFIG_backend_baseUrl: JSON.stringify(origin),
        APP_CONFIG_backend_listen_port: String(port),
        APP_CONFIG_slipway_rateLimit_servicePerMinute: String(LIMIT),
        APP_CONFIG_slipway_rateLimit_anonymousPerMinute: String(LIMIT),
        ...(plumbing.ours && { SLIPWAY_PLUMBING: '1' }),
        ...(plumbing.redis && {
          APP_CONFIG_slipway_rateLimit_store: JSON.stringify('redis'),
          APP_CONFIG_slipway_rateLimit_redis: JSON.stringify(plumbing.redis),
        }),
      },
    });
    await server.untilReady(`${origin}/.backstage/health/v1/readiness`);
    return new PlumbedServer({ plumbing, origin, process: server });
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}

/**
 * Number of requests to one server before the next server's turn. Servers take turns so that
 * all see the same load on the machine.
 */
const TURN = 25;

const PATH = '/api/ide-launcher/workspaces';

/** A request for which the middleware's overhead is measured. */
interface Question {
  what: string;
  token?: string;
  status: number;
}

/**
 * Sends requests to the servers in turns, one at a time over a persistent connection.
 *
 * @returns the durations of each server's requests, in milliseconds and request order.
 */
async function measure(
  servers: readonly PlumbedServer[],
  options: { question: Question; requests: number },
): Promise<number[][]> {
  const { question, requests } = options;
  const clients = servers.map(({ origin }) => new Client(origin));
  const latencies: number[][] = servers.map(() => []);
  for (let sent = 0; sent < 2 * requests; sent += TURN) {
    for (const [index, client] of clients.entries()) {
      const turn = await takeTurn(client, question);
      // The first half is the warm-up.
      if (sent >= requests) {
        latencies[index].push(...turn);
      }
    }
  }
  await Promise.all(clients.map(client => client.close()));
  return latencies;
}

async function takeTurn(
  client: Client,
  { token, status }: Question,
): Promise<number[]> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const latencies: number[] = [];
  for (let request = 0; request < TURN; request++) {
    const begun = performance.now();
    const answer = await client.request({ method: 'GET', path: PATH, headers });
    await answer.body.dump();
    latencies.push(performance.now() - begun);
    if (answer.statusCode !== status) {
      throw new Error(`${PATH} was answered ${answer.statusCode}`);
    }
  }
  return latencies;
}

// Measures the overhead of our middleware per request: `yarn bench:group-a`. Exits with
// 1 if the target is missed, for use in pipelines.

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
