import { readFileSync } from 'node:fs';
import { LoggerService } from '@backstage/backend-plugin-api';
import { findProgram } from '@slipway/processes';
import { InstallationPaths } from '../files/WorkspacePaths';
import { NetworkTools } from '../network/NetworkGate';
import { LocalRuntimeOptions } from '../options';
import { probeSandbox } from './probeSandbox';
import {
  Isolation,
  ProgramLimits,
  Sandbox,
  SandboxPrograms,
  WorkspaceUsers,
} from './Sandbox';

/** Returns an isolation without a sandbox, with the reason for users. */
export function withoutIsolation(reason: string): Isolation {
  return { sandbox: null, reasons: [reason] };
}

/**
 * Finds the strongest isolation that works here by trying it.
 *
 * @throws Error if `required` isolation does not work, or if production would run without
 * isolation although that was not configured.
 */
export async function chooseIsolation(
  options: LocalRuntimeOptions,
  environment: { production: boolean },
): Promise<Isolation> {
  const { mode } = options.isolation;
  if (mode === 'none') {
    options.logger.warn(
      'Workspaces run without isolation, as configured in ideLauncher.local.isolation.mode',
    );
    return withoutIsolation('Isolation is turned off in the configuration.');
  }
  const found = await findIsolation(options);
  report(found, options.logger);
  if (!found.sandbox && (mode === 'required' || environment.production)) {
    throw new Error(
      `Workspaces cannot be isolated: ${found.reasons.join(' ')} ` +
        'Install bubblewrap, or set ideLauncher.local.isolation.mode to none to run them as plain processes of the portal',
    );
  }
  return found;
}

async function findIsolation(options: LocalRuntimeOptions): Promise<Isolation> {
  const users = new WorkspaceUsers({ firstUid: options.isolation.firstUid });
  const programs = findPrograms(options, users.isRoot);
  if (typeof programs === 'string') {
    return withoutIsolation(programs);
  }
  const installation = new InstallationPaths(options.dataDir);
  installation.create();
  const reasons: string[] = [];
  const attempts = programs.network
    ? [programs, { ...programs, network: null }]
    : [programs];
  if (!programs.network) {
    reasons.push(
      options.isolation.network === 'shared'
        ? 'The network is shared by configuration.'
        : 'slirp4netns, nsenter or ip is not installed, so the network is shared.',
    );
  }
  for (const attempt of attempts) {
    const sandbox = new Sandbox({
      programs: attempt,
      users,
      readable: readablePlaces(options),
      limits: withinKernelLimits(options.limits),
    });
    const fault = await probeSandbox(sandbox, installation);
    if (fault === null) {
      return { sandbox, reasons };
    }
    reasons.push(
      attempt.network
        ? `A separate network does not work here: ${fault}.`
        : `bubblewrap does not work here: ${fault}.`,
    );
  }
  return { sandbox: null, reasons };
}

function findPrograms(
  { path, isolation }: LocalRuntimeOptions,
  isRoot: boolean,
): SandboxPrograms | string {
  if (process.platform !== 'linux') {
    return 'Isolation needs Linux.';
  }
  const [bwrap, prlimit, env, setpriv] = [
    'bwrap',
    'prlimit',
    'env',
    'setpriv',
  ].map(name => findProgram(name, path));
  if (!bwrap) {
    return 'bubblewrap is not installed.';
  }
  if (!prlimit || !env || (isRoot && !setpriv)) {
    return 'prlimit, env or setpriv is not installed.';
  }
  const network =
    isolation.network === 'shared'
      ? null
      : findNetworkTools(path, isolation.allowedNetworks);
  return { bwrap, prlimit, env, setpriv, network };
}

function findNetworkTools(
  path: string,
  allowed: readonly string[],
): NetworkTools | null {
  const [slirp, nsenter, ip] = ['slirp4netns', 'nsenter', 'ip'].map(name =>
    findProgram(name, path),
  );
  return slirp && nsenter && ip ? { slirp, nsenter, ip, allowed } : null;
}

/** Lists the locations of editors, their Node.js and the programs on PATH. */
function readablePlaces(options: LocalRuntimeOptions): string[] {
  const { isolation, toolsFolder, path, agentFile } = options;
  return [
    process.execPath,
    toolsFolder,
    agentFile,
    ...path.split(':').filter(place => place.startsWith('/')),
    ...isolation.readable,
  ].filter(place => !/^\/(usr|bin|sbin)(\/|$)/.test(place));
}

const NAMES = { processes: 'Max processes', openFiles: 'Max open files' };

/**
 * Returns the limits that a sandbox can actually have: without privileges, a process cannot
 * exceed the hard limits of its parent, and trying to do so fails. `Infinity` means no limit.
 *
 * @param table - hard limits of the portal, in the format of proc(5).
 */
export function withinKernelLimits(
  wanted: ProgramLimits,
  table: string = readFileSync('/proc/self/limits', 'utf8'),
): ProgramLimits {
  return {
    processes: Math.min(wanted.processes, hardLimit(table, NAMES.processes)),
    openFiles: Math.min(wanted.openFiles, hardLimit(table, NAMES.openFiles)),
  };
}

function hardLimit(table: string, name: string): number {
  const line = table.split('\n').find(text => text.startsWith(name)) ?? '';
  const [, hard] = line.slice(name.length).trim().split(/\s+/);
  const number = Number(hard);
  return Number.isNaN(number) ? Infinity : number;
}

function report({ sandbox, reasons }: Isolation, logger: LoggerService): void {
  if (sandbox && sandbox.network === 'own') {
    logger.info('Workspaces are isolated, each with its own network');
  } else if (sandbox) {
    logger.warn(
      `Workspaces are isolated except for the network: ${reasons.join(' ')}`,
    );
  } else {
    logger.warn(`Workspaces are not isolated: ${reasons.join(' ')}`);
  }
}
