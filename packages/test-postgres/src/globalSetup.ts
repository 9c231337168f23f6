import { PostgresServer } from './PostgresServer';

/**
 * Vitest global setup: starts a PostgreSQL and names it where Backstage's
 * `TestDatabases` looks for one, as `POSTGRES_18`.
 *
 * @returns the tear-down.
 */
export async function setup(): Promise<() => Promise<void>> {
  const server = await PostgresServer.start();
  process.env.BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING =
    server.connectionString;
  process.env.BACKSTAGE_TEST_DISABLE_DOCKER = '1';
  return () => server.stop();
}
