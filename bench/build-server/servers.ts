import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { WEBHOOK_SECRETS } from './deliveries.ts';

const TOKEN = 'bench-api-token-Bk7vXr2LmZ9pTn4WcY6h';
const AGENT_TIMEOUT_MS = 60_000;
/** Larger than any log in the benchmark. */
const MAX_LOG_BYTES = 300 * 1024 * 1024;

/** The directory in which servers cache compiled code between starts, as in production. */
const compileCache = path.resolve(
  import.meta.dirname,
  '../../.data/bench/compile-cache',
);

/** Headers of every request. */
export const requestHeaders = {
  authorization: `Basic ${Buffer.from(`bench:${TOKEN}`).toString('base64')}`,
  'content-type': 'application/json',
};

/** A process that is measured. */
export interface RunningProcess {
  pid: number;
  stop(): Promise<void>;
}

/** A server that is measured. */
export interface RunningServer extends RunningProcess {
  url: string;
}

/** The option with which `docs/production.md` starts services. */
const SMALL_HEAP = '--max-semi-space-size=8';

/** With `PROFILE=<directory>`, servers and agents write a CPU profile when they stop. */
function profiling(): string[] {
  const { PROFILE: profile } = process.env;
  return profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
}

async function start(
  port: number,
  options: ConstructorParameters<typeof ServerProcess>[0],
): Promise<RunningServer> {
  const server = new ServerProcess(options);
  const url = `http://127.0.0.1:${port}`;
  await server.untilReady(`${url}/ready`);
  return { url, pid: server.pid!, stop: () => server.stop() };
}

/**
 * Starts the build server as in production, on SQLite.
 *
 * @param options.jobs - the jobs by name; each lacks its `name`.
 * @param options.executors - 0 to run no builds.
 */
export async function startService(options: {
  directory: string;
  executors: number;
  jobs: Readonly<Record<string, object>>;
}): Promise<RunningServer> {
  const { directory, executors } = options;
  const jobs = path.join(directory, 'jobs');
  mkdirSync(jobs, { recursive: true });
  for (const [name, job] of Object.entries(options.jobs)) {
    writeFileSync(
      path.join(jobs, `${name}.yaml`),
      JSON.stringify({ name, ...job }),
    );
  }
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
    logs: { maxBytes: MAX_LOG_BYTES },
    // A limit that is enforced but never reached.
    rateLimit: { perMinute: 100_000_000 },
    auth: {
      users: [
        { name: 'bench', key: TOKEN, scopes: ['read', 'trigger', 'admin'] },
      ],
      triggerGroups: [],
    },
    secrets: WEBHOOK_SECRETS,
  };
  // An empty configuration, because the server in production rejects the development credentials.
  const empty = path.join(directory, 'empty.yaml');
  writeFileSync(empty, '{}\n');
  return start(port, {
    command: [
      ...(['node', SMALL_HEAP, ...profiling()] as [string, ...string[]]),
      ...['src/main.ts', '--config', empty],
    ],
    cwd: 'services/build-server',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compileCache,
      APP_CONFIG_buildServer: JSON.stringify(section),
    },
  });
}

/** Enrols and starts an agent of a server, as a process with isolation. */
export async function startAgent(
  server: RunningServer,
  directory: string,
): Promise<RunningProcess> {
  const ask = async (method: string, route: string, body?: object) => {
    const response = await fetch(server.url + route, {
      method,
      headers: requestHeaders,
      body: body && JSON.stringify(body),
    });
    return response.json();
  };
  const { token } = await ask('POST', '/agents/enrolments', { labels: [] });
  let said = '';
  const agent = new ServerProcess({
    command: [
      ...(['node', ...profiling()] as [string, ...string[]]),
      ...['src/cli/main.ts', 'agent', '--server', server.url],
      ...['--name', 'bench-agent', '--directory', directory],
      ...['--capacity', '2', '--isolation', 'required'],
    ],
    cwd: 'services/build-server',
    env: { ...process.env, SLIPWAY_ENROL_TOKEN: token },
    onOutput: chunk => {
      said += chunk;
    },
  });
  for (const end = Date.now() + AGENT_TIMEOUT_MS; Date.now() < end;) {
    const { agents } = await ask('GET', '/agents');
    if (agents.some(({ connected }: { connected: boolean }) => connected)) {
      return { pid: agent.pid!, stop: () => agent.stop() };
    }
    await sleep(50);
  }
  await agent.stop();
  throw new Error(`The agent did not connect:\n${said}`);
}

/** Starts the minimal server that triggers are compared with. */
export async function startBare(filename: string): Promise<RunningServer> {
  const [port] = await findFreePorts(1);
  return start(port, {
    command: ['node', 'bareServer.ts', String(port), filename],
    cwd: 'bench/build-server',
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
