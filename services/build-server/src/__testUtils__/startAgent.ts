import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgentRunner } from '../agent/AgentRunner.ts';
import { ServerLink } from '../agent/ServerLink.ts';
import type { BuildServerConfig } from '../config.ts';
import {
  type ExecutorConfig,
  openExecutor,
} from '../execution/openExecutor.ts';
import { chooseIsolation } from '../isolation/chooseIsolation.ts';
import { withoutIsolation } from '../isolation/Isolation.ts';
import type { BuildClient } from './BuildClient.ts';

const quiet = { info() {}, warn() {}, error() {} };

/** An agent in the process of a test. */
export interface TestAgent {
  id: string;
  token: string;
  session: string;
  runner: AgentRunner;
  /** Resolves when the agent has ended; rejects if the server rejected it. */
  running: Promise<void>;
  stop(): Promise<void>;
}

/** Creates a one-time token, as an admin. */
export async function invite(
  client: BuildClient,
  labels: readonly string[] = [],
): Promise<string> {
  const { status, body, text } = await client.json('/agents/enrolments', {
    labels,
  });
  if (status !== 201) {
    throw new Error(`Inviting answered ${status}: ${text}`);
  }
  return body.token;
}

/** Enrols an agent and starts it, without isolation by default. */
export async function startAgent(
  client: BuildClient,
  options: {
    name?: string;
    labels?: readonly string[];
    capacity?: number;
    environment?: Record<string, string>;
    /** Socket of a container engine. */
    containers?: string;
    isolation?: 'unsafe-none' | 'required';
    /** The class that sends its requests. */
    Link?: typeof ServerLink;
  } = {},
): Promise<TestAgent> {
  const {
    name = 'agent-1',
    labels,
    capacity = 2,
    environment,
    containers,
    isolation: mode = 'unsafe-none',
    Link = ServerLink,
  } = options;
  const directory = await mkdtemp(path.join(tmpdir(), 'build-agent-'));
  const { id, token } = await ServerLink.enrol(client.url, {
    token: await invite(client, labels),
    ...{ name, capacity },
  });
  const session = randomBytes(8).toString('hex');
  const config: ExecutorConfig & Pick<BuildServerConfig, 'git'> = {
    executors: capacity,
    path: '/usr/local/bin:/usr/bin:/bin',
    git: { protocols: [] },
    isolation: {
      ...{ mode, readable: [], firstUid: 2_000_400_000 },
      limits: { processes: 1_000, diskMiB: 1_024, fileMiB: 1_024 },
    },
    killAfterSeconds: 0.3,
    labels: [],
    artifacts: { maxBytes: 100_000_000 },
    ...(containers && {
      containers: {
        ...{ socket: containers, memoryMiB: 256, cpus: 1 },
        ...{ processes: 100, uid: 65_534 },
      },
    }),
  };
  const work = path.join(directory, 'work');
  const isolation =
    mode === 'required'
      ? await chooseIsolation(config, {
          ...{ directory: work, isProduction: false, logger: quiet },
        })
      : withoutIsolation('');
  const opened = openExecutor(config, { directory: work, isolation });
  const runner = new AgentRunner({
    id,
    link: new Link({ url: client.url, token, session }),
    ...opened,
    ...{ directory, capacity, environment },
    probeMs: 300,
    version: 'test',
    logger: quiet,
  });
  const running = runner.run();
  // Callers that await it still see the error; for others, it must not be an unhandled rejection.
  running.catch(() => undefined);
  return {
    ...{ id, token, session, runner, running },
    async stop() {
      runner.stop();
      await running.catch(() => undefined);
      await opened.executor.close?.();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
