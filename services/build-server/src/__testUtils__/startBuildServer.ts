import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database, Service } from '@slipway/service-kit';
import {
  type fakeLogger,
  type ServiceProcess,
  startProcess,
  startTestService,
} from '@slipway/service-kit/testing';
import { stringify } from 'yaml';
import type { Job } from '../jobs/Job.ts';
import { buildServer } from '../service.ts';

export const TRIGGER_TOKEN = 'test-api-token';
export const READ_TOKEN = 'test-viewer-token';
export const SECRETS = {
  'hello-webhook': 'test-webhook-token',
  'other-webhook': 'test-other-token',
  signing: 'test-signing-secret',
  'signing-next': 'test-signing-secret-next',
  'build-token': 'test-build-token',
};

export const HELLO: Job = {
  name: 'hello',
  webhook: { token: 'hello-webhook' },
  steps: [{ name: 'Say hello', run: 'echo "Hello from $BUILD_NUMBER"' }],
};

export const HELLO_PARAMETERS: Job = {
  name: 'hello-parameters',
  parameters: [
    { name: 'BRANCH', required: true },
    { name: 'ENVIRONMENT', default: 'dev' },
  ],
  steps: [{ name: 'Say hello', run: 'echo "$BRANCH to $ENVIRONMENT"' }],
};

export interface TestServer {
  service: Service;
  /** Address that it listens on. */
  url: string;
  /** Directory with all of this server's files. */
  directory: string;
  stop(): Promise<void>;
}

/** Writes jobs as files. @returns the folder. */
export async function writeJobs(
  directory: string,
  jobs: readonly object[],
): Promise<string> {
  await Promise.all(
    jobs.map((job, index) =>
      writeFile(path.join(directory, `${index}.yaml`), stringify(job)),
    ),
  );
  return directory;
}

/** Starts a server with its own jobs on a free port. */
export async function startBuildServer(
  options: {
    jobs?: readonly Job[];
    config?: Record<string, unknown>;
    database?: Database;
    now?: () => number;
    isProduction?: boolean;
    logger?: ReturnType<typeof fakeLogger>['logger'];
    /** Directory of another server, to share its builds. */
    directory?: string;
  } = {},
): Promise<TestServer> {
  const {
    jobs = [HELLO, HELLO_PARAMETERS],
    config,
    database,
    now,
    isProduction,
    logger,
  } = options;
  const root = await mkdtemp(path.join(tmpdir(), 'build-server-'));
  const service = await startTestService(buildServer, {
    database,
    now,
    isProduction,
    logger,
    config: {
      portal: { baseUrl: 'http://127.0.0.1:1' },
      jobsDirectory: await writeJobs(root, jobs),
      dataDirectory: options.directory ?? path.join(root, 'data'),
      secrets: SECRETS,
      killAfterSeconds: 0.3,
      // Tests announce their commits themselves.
      pollSeconds: 0,
      git: { protocols: ['file'] },
      // Most tests look at what steps do to files and processes of this machine.
      isolation: { mode: 'unsafe-none' },
      ...config,
      auth: {
        users: [
          { name: 'dev', key: TRIGGER_TOKEN, scopes: ['read', 'trigger'] },
          { name: 'viewer', key: READ_TOKEN, scopes: ['read'] },
        ],
        ...(config?.auth as object | undefined),
      },
    },
  });
  const url = await service.start();
  return {
    service,
    url,
    directory: options.directory ?? path.join(root, 'data'),
    async stop() {
      await service.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the server as a separate process for tests to kill, with files that survive
 * it.
 *
 * @param options.directory - directory with its jobs, database and data.
 */
export function startBuildProcess(options: {
  directory: string;
  isolation?: string;
}): Promise<ServiceProcess> {
  const { directory, isolation = 'unsafe-none' } = options;
  return startProcess({
    module: new URL('../service.ts', import.meta.url),
    name: 'buildServer',
    config: {
      database: {
        client: 'better-sqlite3',
        connection: { filename: path.join(directory, 'db.sqlite') },
      },
      jobsDirectory: directory,
      dataDirectory: path.join(directory, 'data'),
      secrets: SECRETS,
      killAfterSeconds: 0.2,
      isolation: { mode: isolation },
      auth: {
        users: [
          { name: 'dev', key: TRIGGER_TOKEN, scopes: ['read', 'trigger'] },
        ],
      },
    },
  });
}

/** The `Authorization` header of a user. */
export function basic(name: string, token: string): string {
  return `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`;
}
