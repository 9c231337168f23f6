import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '../startServer.ts';

const ADMIN = '*:*.bench-admin-Ek7vXr2LmZ9pTn4WcY6hBj3F';
/** The token that the load is sent with. */
export const CLIENT = '*:production.bench-client-Ck7vXr2LmZ9pTn4WcY6hBj3F';
/** A rate limit that is counted and never reached. */
const PER_MINUTE = 100_000_000;

/** Fastify with nothing on it. */
export function startBare(): Promise<RunningServer> {
  const main = fileURLToPath(new URL('./bare/main.ts', import.meta.url));
  return startServer({
    command: ['node', main],
    cwd: 'bench/feature-flags',
    env: port => ({ PORT: String(port) }),
    ready: '/plain',
  });
}

/** The service as in production, on a database file of its own. */
export function startService(filename: string): Promise<RunningServer> {
  return startServer({
    command: ['node', 'src/main.ts'],
    cwd: 'services/feature-flags',
    env: port => ({
      APP_CONFIG_featureFlags: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database: { client: 'better-sqlite3', connection: { filename } },
        environment: 'production',
        tokens: [
          { name: 'bench', type: 'client', token: CLIENT },
          { name: 'bench-admin', type: 'admin', token: ADMIN },
        ],
        rateLimit: { perMinute: PER_MINUTE },
        egress: { allowedHosts: [] },
      }),
    }),
    ready: '/ready',
  });
}

/** Creates flags as an admin does, half of them rolled out to a part of the users. */
export async function createFlags(url: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const name = `flag-${String(number).padStart(5, '0')}`;
    const response = await fetch(`${url}/api/admin/features`, {
      method: 'POST',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        description: `Switches what ${name} stands for`,
        enabled: number % 3 !== 0,
        strategies: [
          number % 2
            ? { name: 'default' }
            : {
                name: 'gradualRolloutUserId',
                parameters: { percentage: '50', groupId: name },
              },
        ],
      }),
    });
    if (response.status !== 201) {
      throw new Error(`${name} was answered ${response.status}`);
    }
  }
}
