import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
// Not from the index of the kit, which would load Fastify and knex.
import { withoutSlash } from '@slipway/service-kit/PortalClient';
import { AgentRunner } from '../agent/AgentRunner.ts';
import { ServerLink } from '../agent/ServerLink.ts';
import type { BuildServerConfig } from '../config.ts';
import {
  type ExecutorConfig,
  openExecutor,
} from '../execution/openExecutor.ts';
import type { WorkerLogger } from '../execution/Worker.ts';
import { chooseIsolation } from '../isolation/chooseIsolation.ts';

const USAGE = `Usage: ./slipway agent --server URL [options]

Runs builds of a build server on this machine. The first start needs a one-time token in
SLIPWAY_ENROL_TOKEN, which an admin creates on the portal's page Agents. The agent then
keeps its own token in its directory.

  --server URL        address of the build server
  --name NAME         name of the agent (default: the name of the machine)
  --directory DIR     folder for work directories and the token (default: .data/agent)
  --capacity N        concurrent builds (default: 2)
  --isolation MODE    auto, required or unsafe-none (default: required)
  --processes N       maximum processes of one build (default: 4096)
  --memory MIB        maximum memory of one build (default: three quarters of the
                      machine's or its container's memory, divided by the capacity;
                      4096 for a job with a container)
  --disk MIB          maximum disk space of one build (default: 20480)
  --containers SOCKET absolute path of the podman or docker socket, to run jobs with a
                      container; a process that can reach this socket is root here
  --cpus N            maximum processors of one container (default: 2)
  --network KIND      shared or own (default: shared): which builds have their own
                      network, only those with services or all
  --reach-machine     let builds with their own network reach this machine
  --readable PATH     a file or folder that builds may read; may be repeated
  --ca-file FILE      absolute path of certificate authorities for git, which replace
                      the system's
  --env NAME=VALUE    a variable for every build here, which jobs may replace; may be
                      repeated; every step can read it, so it must not be a secret

SIGTERM drains the agent: it accepts no more builds, and exits when the running ones have
ended. A second SIGTERM kills them.
`;

const IDENTITY_FILE = 'agent.json';

interface Identity {
  id: string;
  token: string;
}

/** Runs the command `agent` until the agent is drained. @returns the exit code. */
export async function agent(
  args: readonly string[],
  context: { cwd: string; write(text: string): void },
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      server: { type: 'string' },
      name: { type: 'string', default: nameOfMachine() },
      directory: { type: 'string', default: '.data/agent' },
      capacity: { type: 'string', default: '2' },
      isolation: { type: 'string', default: 'required' },
      processes: { type: 'string', default: '4096' },
      memory: { type: 'string' },
      disk: { type: 'string', default: '20480' },
      network: { type: 'string', default: 'shared' },
      'reach-machine': { type: 'boolean', default: false },
      readable: { type: 'string', multiple: true, default: [] },
      'ca-file': { type: 'string' },
      containers: { type: 'string' },
      cpus: { type: 'string', default: '2' },
      env: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  const { server, isolation: mode, network } = values;
  const capacity = Number(values.capacity);
  const environment = readVariables(values.env);
  const isFine =
    server !== undefined &&
    environment !== undefined &&
    URL.canParse(server) &&
    Number.isInteger(capacity) &&
    capacity >= 1 &&
    capacity <= 64 &&
    [values.processes, values.memory ?? '1', values.disk, values.cpus].every(
      isCount,
    ) &&
    (network === 'shared' || network === 'own') &&
    [values.containers, values['ca-file']].every(
      file => file === undefined || path.isAbsolute(file),
    ) &&
    (mode === 'auto' || mode === 'required' || mode === 'unsafe-none');
  if (values.help || !isFine) {
    context.write(USAGE);
    return values.help ? 0 : 2;
  }
  const url = withoutSlash(server);
  const directory = path.resolve(context.cwd, values.directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const logger = loggerTo(context.write);
  const work = path.join(directory, 'work');
  const config: ExecutorConfig & Pick<BuildServerConfig, 'git'> = {
    executors: capacity,
    path: '/usr/local/bin:/usr/bin:/bin',
    git: { protocols: [], caFile: values['ca-file'] },
    isolation: {
      mode,
      network,
      reachMachine: values['reach-machine'],
      readable: values.readable,
      firstUid: 2_000_200_000,
      limits: {
        processes: Number(values.processes),
        fileMiB: 16_384,
        diskMiB: Number(values.disk),
        ...(values.memory && { memoryMiB: Number(values.memory) }),
      },
    },
    killAfterSeconds: 5,
    labels: [],
    // The server has its own limit.
    artifacts: { maxBytes: Number.MAX_SAFE_INTEGER },
    ...(values.containers && {
      containers: {
        socket: values.containers,
        memoryMiB: Number(values.memory ?? 4_096),
        cpus: Number(values.cpus),
        processes: Number(values.processes),
        uid: 65_534,
      },
    }),
  };
  const { executor, probeImages } = openExecutor(config, {
    directory: work,
    isolation: await chooseIsolation(config, {
      ...{ directory: work, logger },
      isProduction: false,
    }),
  });
  const { id, token } = await identityOf(url, {
    ...{ directory, name: values.name, capacity },
  });
  const runner = new AgentRunner({
    id,
    link: new ServerLink({
      url,
      token,
      session: randomBytes(8).toString('hex'),
    }),
    executor,
    probeImages,
    directory,
    capacity,
    version: process.version,
    caFile: values['ca-file'],
    environment,
    logger,
  });
  let isDraining = false;
  const end = () => {
    if (isDraining) {
      runner.stop();
    } else {
      runner.drain();
    }
    isDraining = true;
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  await runner.run().finally(() => executor.close?.());
  return 0;
}

/** Parses `NAME=VALUE` pairs. @returns undefined if one of them is invalid. */
function readVariables(
  pairs: readonly string[],
): Record<string, string> | undefined {
  const entries = pairs.map(pair => {
    const [, name, value] =
      /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(pair) ?? [];
    return name === undefined ? undefined : ([name, value] as const);
  });
  return entries.includes(undefined)
    ? undefined
    : Object.fromEntries(entries as [string, string][]);
}

function isCount(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

function nameOfMachine(): string {
  return hostname()
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-')
    .slice(0, 63);
}

/** Reads the agent's identity from disk, or enrols the agent and saves its identity first. */
async function identityOf(
  url: string,
  options: { directory: string; name: string; capacity: number },
): Promise<Identity> {
  const { directory, name, capacity } = options;
  const file = path.join(directory, IDENTITY_FILE);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '') {
    return JSON.parse(kept) as Identity;
  }
  const invitation = process.env.SLIPWAY_ENROL_TOKEN ?? '';
  const { id, token } = await ServerLink.enrol(url, {
    token: invitation,
    name,
    capacity,
  });
  await writeFile(`${file}.new`, JSON.stringify({ id, token }), {
    mode: 0o600,
  });
  await rename(`${file}.new`, file);
  return { id, token };
}

function loggerTo(
  write: (text: string) => void,
): WorkerLogger & { info(message: string): void; warn(message: string): void } {
  const log = (level: string) => (first: unknown, message?: string) => {
    const { err } = (typeof first === 'object' ? first : {}) as {
      err?: unknown;
    };
    const text = message ?? String(first);
    const cause = err instanceof Error ? `: ${err.message}` : '';
    write(`${new Date().toISOString()} ${level} ${text}${cause}\n`);
  };
  return { info: log('info'), warn: log('warn'), error: log('error') } as never;
}
