import { fileURLToPath } from 'node:url';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';

/** So that the limit is counted, and never reached. */
const PER_MINUTE = 100_000_000;

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
    cwd: 'bench/feedback',
    env: port => ({ PORT: String(port), FILENAME: filename }),
    ready: '/rows',
  });
}

/** The service as in production, on a database file of its own. */
export function startService(options: {
  filename: string;
  portalUrl: string;
}): Promise<RunningServer> {
  const { filename, portalUrl } = options;
  return start({
    command: ['node', 'src/main.ts'],
    cwd: 'services/feedback',
    env: port => ({
      APP_CONFIG_feedback: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database: { client: 'better-sqlite3', connection: { filename } },
        portal: { baseUrl: portalUrl },
        auth: { apiKeys: [{ name: 'bench', key: 'bench-automation-key' }] },
        portalToken: 'bench-portal-token',
        rateLimit: { perMinute: PER_MINUTE },
      }),
    }),
    ready: '/ready',
  });
}
