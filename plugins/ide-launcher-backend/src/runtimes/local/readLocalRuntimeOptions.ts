import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LoggerService } from '@backstage/backend-plugin-api';
import { Config, readDurationFromConfig } from '@backstage/config';
import { durationToMilliseconds } from '@backstage/types';
import { codeServer, findToolsFolder } from '@slipway/managed-tools';
import { EditorCommand, LocalRuntimeOptions } from './LocalRuntimeOptions';

const MEBIBYTE = 1024 ** 2;

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
      config?.getOptionalBoolean('editor.install') ?? true ? codeServer : null,
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
    },
    lease: { intervalMs: 5_000, timeoutMs: duration('leaseTimeout', 30_000) },
  };
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
