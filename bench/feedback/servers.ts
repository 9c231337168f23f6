import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '../startServer.ts';

/** A rate limit that is counted and never reached. */
const PER_MINUTE = 100_000_000;

/** Fastify with nothing on it, on a database file of its own. */
export function startBare(filename: string): Promise<RunningServer> {
  const main = fileURLToPath(new URL('./bare/main.ts', import.meta.url));
  return startServer({
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
