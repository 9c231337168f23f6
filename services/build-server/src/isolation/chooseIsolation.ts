import { readlinkSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { findProgram, isRoot } from '@slipway/processes';
import { ConfigurationError } from '@slipway/service-kit/ServiceError';
import type { BuildServerConfig } from '../config.ts';
import { BuildNetworks, findNetworkPrograms } from './BuildNetworks.ts';
import { findLimiter } from './findLimiter.ts';
import { type Isolation, SHARED_PORTS, withoutIsolation } from './Isolation.ts';
import type { ResourceLimits } from './limits.ts';
import { probeSandbox } from './probeSandbox.ts';
import { Sandbox } from './Sandbox.ts';

const CHOICE =
  'install bubblewrap on a host that allows user namespaces, or set it to unsafe-none to let every step read the files, memory and tokens of the build server';

/** Logs which isolation works, and which does not. */
interface IsolationLogger {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * Returns an isolation that works on this machine, which is tested by trying to break out of it.
 *
 * @throws ConfigurationError if none works and isolation is required, as in production, or if
 * every build must have its own network and cannot.
 */
export async function chooseIsolation(
  config: Pick<BuildServerConfig, 'executors' | 'isolation' | 'path' | 'git'>,
  environment: {
    /** The absolute folder that contains the folders of builds. */
    directory: string;
    isProduction: boolean;
    logger: IsolationLogger;
  },
): Promise<Isolation> {
  const { logger, isProduction } = environment;
  const { mode } = config.isolation;
  if (config.executors === 0) {
    return {
      ...withoutIsolation(''),
      status: { kind: 'elsewhere', limits: null, gaps: [] },
    };
  }
  if (mode === 'unsafe-none') {
    logger.warn(
      'Builds are not isolated, as configured in buildServer.isolation.mode: steps can read everything that the build server can',
    );
    return withoutIsolation(
      'Isolation is turned off in the configuration.',
      limitsOf(config),
    );
  }
  const found = await findSandbox(config, environment.directory);
  if (typeof found !== 'string') {
    logger.info(
      `Builds are isolated by bubblewrap and limited by ${found.status.limits}`,
    );
    return found;
  }
  if (mode === 'required' || isProduction) {
    throw new ConfigurationError([
      `buildServer.isolation.mode: builds cannot be isolated here. ${found} To start, ${CHOICE}`,
    ]);
  }
  logger.warn(`Builds are not isolated. ${found}`);
  return withoutIsolation(found, limitsOf(config));
}

/** Fraction of the machine's memory that its builds may use together, unless limits are configured. */
const MEMORY_SHARE = 0.75;

/** Returns the limits of a build whose job has none. */
function limitsOf({
  executors,
  isolation,
}: Pick<BuildServerConfig, 'executors' | 'isolation'>): ResourceLimits {
  const { processes, memoryMiB, fileMiB } = isolation.limits;
  // In a container, the limit of the container; undefined or 0 without one.
  const available = process.constrainedMemory() || totalmem();
  const bytes = Math.min(available, totalmem());
  return {
    processes,
    memoryMiB:
      memoryMiB ?? Math.floor((bytes * MEMORY_SHARE) / executors / 1024 ** 2),
    fileBytes: fileMiB * 1024 ** 2,
  };
}

/**
 * Configurations of sandboxes that withstood the probe, as JSON. Cached, because the result does not
 * change while this process runs.
 */
const withstood = new Set<string>();

/** Finds a sandbox that works. @returns the sandbox, or why there is none, as a sentence. */
async function findSandbox(
  config: Parameters<typeof chooseIsolation>[0],
  directory: string,
): Promise<Sandbox | string> {
  const { isolation, path: searchPath, git } = config;
  if (process.platform !== 'linux') {
    return 'Isolation needs Linux.';
  }
  const [bwrap, env, setpriv] = ['bwrap', 'env', 'setpriv'].map(name =>
    findProgram(name, ''),
  );
  if (!bwrap) {
    return 'bubblewrap is not installed.';
  }
  if (!env || (isRoot() && !setpriv)) {
    return 'env or setpriv is not installed.';
  }
  const { network, reachMachine: reachesMachine = false } = isolation;
  const limits = limitsOf(config);
  const { processes, memoryMiB } = limits;
  const common = {
    programs: { bwrap, env, setpriv },
    readable: [
      ...searchPath.split(':').filter(place => path.isAbsolute(place)),
      ...(git.caFile === undefined ? [] : [git.caFile]),
      ...isolation.readable,
    ].filter(place => !/^\/(?:usr|bin|sbin)(?:\/|$)/.test(place)),
    firstUid: isolation.firstUid,
    limiter: await findLimiter(limits),
    limits: `${processes} processes, ${memoryMiB} MiB of memory, ${isolation.limits.diskMiB} MiB of disk`,
  };
  const programs = findNetworkPrograms();
  const faultOf = async (sandbox: Sandbox) => {
    const key = JSON.stringify([isolation, common.readable, sandbox.status]);
    const fault = withstood.has(key)
      ? null
      : await probeSandbox(sandbox, {
          directory,
          serverNamespace: readlinkSync('/proc/self/ns/pid'),
        });
    if (fault === null) {
      withstood.add(key);
    }
    return fault;
  };
  let noNetwork = `${[programs].flat().join(', ')} is not installed`;
  if (!Array.isArray(programs)) {
    const sandbox = new Sandbox({
      ...common,
      networks: new BuildNetworks(programs, { reachesMachine }),
      hasOwnNetwork: network === 'own',
    });
    const fault = await faultOf(sandbox);
    if (fault === null) {
      return sandbox;
    }
    noNetwork = fault;
  }
  if (isolation.network === 'own') {
    throw new ConfigurationError([
      `buildServer.isolation.network: builds cannot have their own network here: ${noNetwork}. To start, make it work or set it to shared`,
    ]);
  }
  const gap = `${SHARED_PORTS} They cannot have their own network: ${noNetwork}.`;
  const sandbox = new Sandbox({ ...common, gaps: [gap] });
  const fault = await faultOf(sandbox);
  return fault === null ? sandbox : `bubblewrap does not work here: ${fault}.`;
}
