import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '../startServer.ts';

/** A rate limit that is enforced but never reached. */
const PER_MINUTE = 1_000_000_000;

/** The project's id. */
export const PROJECT = 'bench';
export const PROJECT_KEY = 'phc_bench_key_Kk7vXr2LmZ9pTn4WcY6hBj3F';
export const API_TOKEN = 'phx_bench_token_Tk7vXr2LmZ9pTn4WcY6hBj3F';

/** The storage engine of a service. */
export type Engine = 'sqlite' | 'chdb';

/** Starts the plain Fastify server with its own database file. */
export function startBare(filename: string): Promise<RunningServer> {
  const main = fileURLToPath(new URL('./bare/main.ts', import.meta.url));
  return startServer({
    command: ['node', main],
    cwd: 'bench/analytics',
    env: port => ({ PORT: String(port), FILENAME: filename }),
    ready: '/rows',
  });
}

/** Starts the service in production mode, with its own directory. */
export function startService(options: {
  directory: string;
  engine: Engine;
  /** Number of journalled events from which they are moved to the engine even without a query. */
  moveFrom?: number;
  /** Idle time after which the engine stops, in seconds. */
  idle?: number;
}): Promise<RunningServer> {
  const { directory, engine, moveFrom = 5_000, idle = 60 } = options;
  return startServer({
    command: ['node', 'src/main.ts'],
    cwd: 'services/analytics',
    env: port => ({
      APP_CONFIG_analytics: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database: {
          client: 'better-sqlite3',
          connection: { filename: `${directory}/db.sqlite` },
        },
        // In production, the service rejects development tokens and addresses.
        flags: null,
        portalToken: 'bench_portal_token_Qm4xVt8RkZ2pLn6WcY9hBj3F',
        events: { directory, engine, moveFrom, idleSeconds: idle },
        capture: { eventsPerMinute: PER_MINUTE },
        rateLimit: { perMinute: PER_MINUTE },
        // Raised, so that other load on the machine does not cause rejected batches.
        limits: { eventLoopDelay: 60_000, handlerTimeout: 120_000 },
        projects: [
          {
            id: PROJECT,
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
