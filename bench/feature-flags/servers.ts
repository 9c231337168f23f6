import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '../startServer.ts';
import { installUnleash } from './unleash/installUnleash.ts';

/** Tokens for both servers. */
export const TOKENS = {
  admin: '*:*.bench-admin-Ek7vXr2LmZ9pTn4WcY6hBj3F',
  client: '*:development.bench-client-Ck7vXr2LmZ9pTn4WcY6hBj3F',
  production: '*:production.bench-client-Pk7vXr2LmZ9pTn4WcY6hBj3F',
  frontend: '*:development.bench-frontend-Fk7vXr2LmZ9pTn4WcY6hBj3F',
} as const;

/** A rate limit that is enforced but never reached. */
const PER_MINUTE = 100_000_000;

/** The Node.js option with which `docs/production.md` starts services. */
const SMALL_HEAP = '--max-semi-space-size=8';
const compileCache = path.resolve(
  import.meta.dirname,
  '../../.data/bench/compile-cache',
);

const logFile = path.resolve(
  import.meta.dirname,
  '../../.data/bench/feature-flags/log',
);

/** With `PROFILE=<directory>`, the service writes a CPU profile when it stops. */
function profiling(): string[] {
  const { PROFILE: profile } = process.env;
  return profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
}

/** Starts the service in production mode. @param database - knex configuration. */
export function startService(database: object): Promise<RunningServer> {
  mkdirSync(path.dirname(logFile), { recursive: true });
  return startServer({
    // Logs to a file, from which a log collector would read. This process would have to read a pipe
    // while it measures.
    command: [
      'sh',
      '-c',
      'exec node "$@" > "$LOG_FILE"',
      'feature-flags',
      SMALL_HEAP,
      ...profiling(),
      'src/main.ts',
    ],
    cwd: 'services/feature-flags',
    env: port => ({
      LOG_FILE: logFile,
      NODE_COMPILE_CACHE: compileCache,
      MALLOC_ARENA_MAX: '1',
      APP_CONFIG_featureFlags: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database,
        // In production, the service rejects the development token.
        portalToken: 'bench_portal_token_Qm4xVt8RkZ2pLn6WcY9hBj3F',
        feedback: {
          url: 'http://127.0.0.1:8080',
          apiKey: 'bench_feedback_key_Qm4xVt8RkZ2pLn6WcY9hBj3F',
        },
        builds: {
          url: 'http://127.0.0.1:8200',
          user: 'bench',
          key: 'bench_builds_key_Qm4xVt8RkZ2pLn6WcY9hBj3F',
        },
        tokens: [
          { name: 'bench', type: 'client', token: TOKENS.client },
          { name: 'bench-live', type: 'client', token: TOKENS.production },
          { name: 'bench-page', type: 'frontend', token: TOKENS.frontend },
          { name: 'bench-admin', type: 'admin', token: TOKENS.admin },
        ],
        // Omits the flags that the portal's own pages use.
        flags: [],
        rateLimit: { perMinute: PER_MINUTE },
        // Slow responses on a busy machine are a result, not a reason to reject
        // requests.
        limits: { eventLoopDelay: 60_000 },
        egress: { allowedHosts: [] },
      }),
    }),
    ready: '/ready',
  });
}

/**
 * Installs and starts the Unleash server in production mode, with limits that are never
 * reached.
 *
 * @param connectionString - empty PostgreSQL database.
 */
export async function startUnleash(
  connectionString: string,
): Promise<RunningServer> {
  const directory = await installUnleash();
  const limits = [
    'REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE',
    'CLIENT_METRICS_RATE_LIMIT_PER_MINUTE',
    'REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE',
    'FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE',
    'TOKEN_AUTHENTICATION_RATE_LIMIT_PER_MINUTE',
    'SDK_API_RATE_LIMIT_PER_MINUTE',
    'SEARCH_FEATURES_RATE_LIMIT_PER_MINUTE',
  ];
  return startServer({
    command: ['node', 'dist/server.js'],
    cwd: directory,
    env: port => ({
      DATABASE_URL: connectionString,
      DATABASE_SSL: 'false',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      LOG_LEVEL: 'warn',
      // Prevents requests to machines on the internet.
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      INIT_ADMIN_API_TOKENS: TOKENS.admin,
      INIT_BACKEND_API_TOKENS: `${TOKENS.client},${TOKENS.production}`,
      INIT_FRONTEND_API_TOKENS: TOKENS.frontend,
      ...Object.fromEntries(limits.map(name => [name, String(PER_MINUTE)])),
    }),
    ready: '/health',
  });
}

/** Starts a plain `node:http` server. @param filename - file for its reports. */
export function startBare(filename: string): Promise<RunningServer> {
  const main = fileURLToPath(new URL('./bare/main.ts', import.meta.url));
  return startServer({
    command: ['node', main],
    cwd: 'bench/feature-flags',
    env: port => ({ PORT: String(port), FILENAME: filename }),
    ready: '/plain',
  });
}
