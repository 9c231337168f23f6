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
import { codeServer, findToolsFolder } from '@slipway/managed-tools';
import {
  EditorCommand,
  IsolationOptions,
  LocalRuntimeOptions,
} from './LocalRuntimeOptions';
import { toNetwork } from './isolation/closedNetworks';

const MEBIBYTE = 1024 ** 2;

/** Far above the numbers that systems, their services and containers give out. */
const FIRST_WORKSPACE_UID = 2_000_000_000;

/** What the options need that is no configuration. */
export interface ReadLocalRuntimeDependencies {
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
