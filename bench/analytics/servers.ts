import { fileURLToPath } from 'node:url';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';

/** So that the limit is counted, and never reached. */
const PER_MINUTE = 1_000_000_000;

export const PROJECT_KEY = 'phc_bench_key';
export const API_TOKEN = 'phx_bench_token';

/** What keeps the events of a service. */
export type Engine = 'sqlite' | 'chdb';

/** A server under load. */
export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

async function start(options: {
  command: [string, ...string[]];
  cwd: string;
  env(port: number): NodeJS.ProcessEnv;
  ready: string;
}): Promise<RunningServer> {
  const [port] = await findFreePorts(1);
  const server = new ServerProcess({
    command: options.command,
    cwd: options.cwd,
    env: { ...process.env, NODE_ENV: 'production', ...options.env(port) },
  });
  const url = `http://127.0.0.1:${port}`;
  await server.untilReady(`${url}${options.ready}`);
  return { url, stop: () => server.stop() };
}

/** Fastify with nothing on it, on a database file of its own. */
export function startBare(filename: string): Promise<RunningServer> {
  const main = fileURLToPath(new URL('./bare/main.ts', import.meta.url));
  return start({
    command: ['node', main],
    cwd: 'bench/analytics',
    env: port => ({ PORT: String(port), FILENAME: filename }),
    ready: '/rows',
  });
}

/** The service as in production, with everything in a directory of its own. */
export function startService(options: {
  directory: string;
  engine: Engine;
}): Promise<RunningServer> {
  const { directory, engine } = options;
  return start({
    command: ['node', 'src/main.ts'],
    cwd: 'services/analytics',
    env: port => ({
      APP_CONFIG_analytics: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database: {
          client: 'better-sqlite3',
          connection: { filename: `${directory}/db.sqlite` },
        },
        events: { directory, engine },
        capture: { eventsPerMinute: PER_MINUTE },
        rateLimit: { perMinute: PER_MINUTE },
        // What else the machine does must not have batches turned away.
        limits: { eventLoopDelay: 60_000, handlerTimeout: 120_000 },
        projects: [
          {
            id: 'bench',
            name: 'Bench',
            keys: [{ name: 'bench', key: PROJECT_KEY }],
            apiTokens: [{ name: 'bench', key: API_TOKEN }],
          },
        ],
      }),
    }),
    ready: '/ready',
  });
}
