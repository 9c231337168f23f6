import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  LoggerService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { Config, readDurationFromConfig } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { durationToMilliseconds } from '@backstage/types';
import {
  ManagedTool,
  codeServer,
  findToolsFolder,
} from '@slipway/managed-tools';
import { toNetwork } from './network/NetworkGate';

/** A configured command that serves an editor. */
export interface EditorCommand {
  /**
   * Program and arguments. `{socket}`, `{folder}`, `{userData}`, `{extensions}` and `{home}` are
   * replaced; a command without `{socket}` gets code-server's flags.
   */
  command: string[];
  title: string;
  /** Path that responds with 200 when the editor is ready. */
  healthPath: string;
}

/** Time and resource limits of a workspace. */
export interface LocalRuntimeLimits {
  /** Editors that may start at the same time; others wait. */
  concurrentStarts: number;
  /** Time from the start of the process until it responds. */
  startTimeoutMs: number;
  /** Grace period before an editor that was asked to stop is killed. */
  stopTimeoutMs: number;
  /** The time limit of one project's clone. */
  cloneTimeoutMs: number;
  /** The size limit of one project's clone, history included. */
  cloneMaxBytes: number;
  /** The time limit of one command of the devfile's postStart event. */
  commandTimeoutMs: number;
  /** Processes and threads of one workspace; the kernel enforces this only in a sandbox. */
  processes: number;
  /** Open files per process in a sandbox. */
  openFiles: number;
  /** Memory of a workspace without a limit in its devfile. */
  memoryBytes: number;
}

/** Isolation of workspaces from the portal and from each other. */
interface IsolationOptions {
  /**
   * `auto`: isolated if that works; mandatory in production. `required`: always isolated.
   * `none`: never isolated, which is shown with every workspace.
   */
  mode: 'auto' | 'required' | 'none';
  /** `auto`: a separate network if that works. */
  network: 'auto' | 'shared';
  /** Private networks, in CIDR form, that workspaces with their own network may reach. */
  allowedNetworks: string[];
  /** Paths on this machine that workspaces may read in addition to the system's. */
  readable: string[];
  /** First of the 65,536 user IDs for workspaces if the portal runs as root. */
  firstUid: number;
}

/** Times of the lease by which editors detect that a killed portal does not return. */
export interface LeaseOptions {
  /** Interval at which the portal renews the lease and the editors' guards check it. */
  intervalMs: number;
  /** Time that a guard waits for a renewal before it ends its editor. */
  timeoutMs: number;
}

/** Options of `LocalRuntime`. */
export interface LocalRuntimeOptions {
  /** Absolute path of the folder for all workspace data. */
  dataDir: string;
  logger: LoggerService;
  /** Takes precedence over editors found on this machine. */
  editorCommand?: EditorCommand;
  /** The editor to install if none is found; null to install none. */
  managedTool: ManagedTool | null;
  /** The folder of managed tools, see `findToolsFolder`. */
  toolsFolder: string;
  /** PATH of the workspaces, also searched for editors. */
  path: string;
  /** Variables for every workspace in addition to its own, e.g. a proxy's address. */
  environment: Record<string, string>;
  /** The addresses of applications in workspaces, to which editors resolve links to local ports. */
  addresses: { portTemplate(workspaceId: string): string };
  /** Certificate authorities that git trusts in addition to the system's. */
  caFile?: string;
  limits: LocalRuntimeLimits;
  isolation: IsolationOptions;
  /** The program that runs first in each sandbox. */
  agentFile: string;
  lease: LeaseOptions;
}

const MEBIBYTE = 1024 ** 2;

/** The default first user ID: far above the IDs used by systems, their services and containers. */
const FIRST_WORKSPACE_UID = 2_000_000_000;

/** Dependencies of the options that are not part of the configuration. */
interface ReadLocalRuntimeDependencies {
  logger: LoggerService;
  addresses: LocalRuntimeOptions['addresses'];
  env?: NodeJS.ProcessEnv;
}

/**
 * Reads `ideLauncher.local` of the root configuration. Every key but
 * `dataDirectory` is optional.
 *
 * @throws InputError from the configuration reader when a value has another type.
 */
export function readLocalRuntimeOptions(
  root: Config,
  dependencies: ReadLocalRuntimeDependencies,
): LocalRuntimeOptions {
  const { addresses, logger, env = process.env } = dependencies;
  const config = root.getOptionalConfig('ideLauncher.local');
  const duration = (key: string, fallback: number) =>
    config?.has(key)
      ? durationToMilliseconds(readDurationFromConfig(config, { key }))
      : fallback;

  return {
    dataDir: path.resolve(root.getString('ideLauncher.local.dataDirectory')),
    logger,
    editorCommand: readEditorCommand(config),
    managedTool:
      (config?.getOptionalBoolean('editor.install') ?? true)
        ? codeServer
        : null,
    toolsFolder: findToolsFolder({
      configured: config?.getOptionalString('editor.toolsDirectory'),
      env,
    }),
    path: config?.getOptionalString('path') ?? ownPath(env.PATH ?? ''),
    environment: readEnvironment(config),
    addresses,
    caFile: readableFile(
      config?.getOptionalString('caFile') ?? env.NODE_EXTRA_CA_CERTS,
      logger,
    ),
    limits: {
      concurrentStarts:
        config?.getOptionalNumber('limits.concurrentStarts') ??
        os.availableParallelism(),
      startTimeoutMs: duration('limits.startTimeout', 30_000),
      stopTimeoutMs: duration('limits.stopTimeout', 5_000),
      cloneTimeoutMs: duration('limits.cloneTimeout', 5 * 60_000),
      cloneMaxBytes:
        (config?.getOptionalNumber('limits.cloneMaxMebibytes') ?? 2048) *
        MEBIBYTE,
      commandTimeoutMs: duration('limits.commandTimeout', 10 * 60_000),
      processes: config?.getOptionalNumber('limits.processes') ?? 1024,
      openFiles: config?.getOptionalNumber('limits.openFiles') ?? 65_536,
      memoryBytes:
        (config?.getOptionalNumber('limits.memoryMebibytes') ?? 4096) *
        MEBIBYTE,
    },
    isolation: readIsolation(config),
    agentFile: resolvePackagePath(
      '@slipway/plugin-ide-launcher-backend',
      'assets',
      'workspace-agent.cjs',
    ),
    lease: {
      intervalMs: 5_000,
      timeoutMs: duration('leaseTimeout', 2 * 60_000),
    },
  };
}

function readIsolation(config: Config | undefined): IsolationOptions {
  return {
    mode: oneOf(config, 'isolation.mode', ['auto', 'required', 'none']),
    network: oneOf(config, 'isolation.network', ['auto', 'shared']),
    allowedNetworks: readAllowedNetworks(config),
    readable: config?.getOptionalStringArray('isolation.readable') ?? [],
    firstUid:
      config?.getOptionalNumber('isolation.firstUid') ?? FIRST_WORKSPACE_UID,
  };
}

function readAllowedNetworks(config: Config | undefined): string[] {
  const entries = config?.getOptionalStringArray('egress.allowed') ?? [];
  return entries.map((entry, index) => {
    const network = toNetwork(entry);
    if (!network) {
      throw new InputError(
        `ideLauncher.local.egress.allowed[${index}] must be an IPv4 address or network such as 10.20.0.0/16`,
      );
    }
    return network;
  });
}

/** Returns the value of a key with a fixed set of values; defaults to the first. */
function oneOf<T extends string>(
  config: Config | undefined,
  key: string,
  values: readonly [T, ...T[]],
): T {
  const value = config?.getOptionalString(key) ?? values[0];
  const found = values.find(known => known === value);
  if (!found) {
    throw new InputError(
      `ideLauncher.local.${key} must be one of ${values.join(', ')}`,
    );
  }
  return found;
}

function readEditorCommand(
  config: Config | undefined,
): EditorCommand | undefined {
  const command = config?.getOptionalStringArray('editor.command');
  return command?.length
    ? {
        command,
        title:
          config?.getOptionalString('editor.title') ??
          path.basename(command[0]),
        healthPath:
          config?.getOptionalString('editor.healthPath') ?? '/healthz',
      }
    : undefined;
}

function readEnvironment(config: Config | undefined): Record<string, string> {
  const section = config?.getOptionalConfig('environment');
  return Object.fromEntries(
    section?.keys().map(key => [key, section.getString(key)]) ?? [],
  );
}

/** Returns the portal's PATH without the folders that Yarn adds for its scripts. */
function ownPath(value: string): string {
  return value
    .split(path.delimiter)
    .filter(entry => path.isAbsolute(entry) && !/[\\/]xfs-[^\\/]+$/.test(entry))
    .join(path.delimiter);
}

function readableFile(file: string | undefined, logger: LoggerService) {
  if (!file) {
    return undefined;
  }
  try {
    readFileSync(file);
    return path.resolve(file);
  } catch {
    logger.warn(`The certificate file ${file} cannot be read and is not used`);
    return undefined;
  }
}
