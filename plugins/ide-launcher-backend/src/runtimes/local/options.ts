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

/** A command that serves an editor, as an operator configures it. */
export interface EditorCommand {
  /**
   * Program and arguments. `{socket}`, `{folder}`, `{userData}`,
   * `{extensions}` and `{home}` are replaced; a command without `{socket}` is
   * given code-server's own flags.
   */
  command: string[];
  title: string;
  /** Path that answers 200 when the editor is ready. */
  healthPath: string;
}

/** The limits of a workspace's time and space. */
export interface LocalRuntimeLimits {
  /** Editors that start at the same time; more of them wait their turn. */
  concurrentStarts: number;
  /** From the start of the process until it answers. */
  startTimeoutMs: number;
  /** From asking the editor to end until it is killed. */
  stopTimeoutMs: number;
  /** The time limit of one project's clone. */
  cloneTimeoutMs: number;
  /** The size limit of one project's clone, history included. */
  cloneMaxBytes: number;
  /** The time limit of one command of the devfile's postStart event. */
  commandTimeoutMs: number;
  /** Processes and threads of one workspace; held by the kernel in a sandbox only. */
  processes: number;
  /** Files that one process may have open, in a sandbox. */
  openFiles: number;
  /** Memory of one workspace whose devfile asks for no limit. */
  memoryBytes: number;
}

/** How workspaces are kept apart from the portal and from each other. */
interface IsolationOptions {
  /**
   * `auto`: where it works; production starts with nothing less. `required`:
   * always. `none`: never, and said so wherever a workspace is shown.
   */
  mode: 'auto' | 'required' | 'none';
  /** `auto`: a network of its own where that works. */
  network: 'auto' | 'shared';
  /** Private networks, in CIDR form, that workspaces with a network of their own reach. */
  allowedNetworks: string[];
  /** Places of this machine that workspaces may read beside the system's. */
  readable: string[];
  /** First of the 65,536 user numbers of workspaces, where the portal is root. */
  firstUid: number;
}

/** How a killed portal's editors find out that it does not return. */
export interface LeaseOptions {
  /** How often the portal shows that it lives, and the editors' guards look. */
  intervalMs: number;
  /** How long a guard waits for the next sign before it ends its editor. */
  timeoutMs: number;
}

/** How a `LocalRuntime` works. */
export interface LocalRuntimeOptions {
  /** Everything of the workspaces lives below this absolute path. */
  dataDir: string;
  logger: LoggerService;
  /** Wins over every editor that is found. */
  editorCommand?: EditorCommand;
  /** The editor that is brought when none is found; null to bring none. */
  managedTool: ManagedTool | null;
  /** The folder of managed tools, see `findToolsFolder`. */
  toolsFolder: string;
  /** PATH of the workspaces; also where editors are looked for. */
  path: string;
  /** Variables every workspace gets beside its own, e.g. a proxy's address. */
  environment: Record<string, string>;
  /** Certificate authorities that git trusts beside the system's. */
  caFile?: string;
  limits: LocalRuntimeLimits;
  isolation: IsolationOptions;
  /** The program that is the first of each sandbox. */
  agentFile: string;
  lease: LeaseOptions;
}

const MEBIBYTE = 1024 ** 2;

/** Far above the numbers that systems, their services and containers give out. */
const FIRST_WORKSPACE_UID = 2_000_000_000;

/** What the options need that is no configuration. */
interface ReadLocalRuntimeDependencies {
  logger: LoggerService;
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
  const { logger, env = process.env } = dependencies;
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

/** The value of a key that knows only these; the first without a value. */
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

/** The portal's PATH without the folders that Yarn adds for its own scripts. */
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
