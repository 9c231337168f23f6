import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';

const TOKEN = 'bench-api-token-Bk7vXr2LmZ9pTn4WcY6h';

/** Headers of every request. */
export const requestHeaders = {
  authorization: `Basic ${Buffer.from(`bench:${TOKEN}`).toString('base64')}`,
  'content-type': 'application/json',
};

/** A server under load. */
export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

async function start(
  port: number,
  process: ConstructorParameters<typeof ServerProcess>[0],
): Promise<RunningServer> {
  const server = new ServerProcess(process);
  const url = `http://127.0.0.1:${port}`;
  await server.untilReady(`${url}/ready`);
  return { url, stop: () => server.stop() };
}

/**
 * Starts the build server in production mode, with the job `build`.
 *
 * @param options.executors - with 0, triggers are only queued.
 */
export async function startService(options: {
  directory: string;
  executors: number;
}): Promise<RunningServer> {
  const { directory, executors } = options;
  const jobs = path.join(directory, 'jobs');
  mkdirSync(jobs, { recursive: true });
  writeFileSync(
    path.join(jobs, 'build.yaml'),
    'name: build\nconcurrent: true\nparameters: [{name: BRANCH, required: true}]\nsteps: [{name: Build, run: "true"}]\n',
  );
  const [port] = await findFreePorts(1);
  const section = {
    listen: { host: '127.0.0.1', port },
    portal: { baseUrl: 'http://127.0.0.1:1' },
    database: {
      client: 'better-sqlite3',
      connection: { filename: path.join(directory, 'db.sqlite') },
    },
    jobsDirectory: jobs,
    dataDirectory: path.join(directory, 'data'),
    executors,
    auth: {
      users: [{ name: 'bench', key: TOKEN, scopes: ['read', 'trigger'] }],
      triggerGroups: [],
    },
    secrets: null,
  };
  // An empty configuration: the development one has credentials that production refuses.
  const empty = path.join(directory, 'empty.yaml');
  writeFileSync(empty, '{}\n');
  return start(port, {
    command: ['node', 'src/main.ts', '--config', empty],
    cwd: 'services/build-server',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      APP_CONFIG_buildServer: JSON.stringify(section),
    },
  });
}

/** Starts the baseline server. */
export async function startBare(filename: string): Promise<RunningServer> {
  const [port] = await findFreePorts(1);
  return start(port, {
    command: ['node', 'bareServer.ts', String(port), filename],
    cwd: 'bench/build-server',
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
