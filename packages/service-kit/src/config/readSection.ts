import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  findProductionFaults,
  type ProductionFault,
} from '@slipway/platform-guards';

/** The sources from which the configuration of a service is read. */
export interface ConfigurationOrigin {
  /** Top-level key of the service's section. */
  configKey: string;
  /** Directory of `app-config.yaml`. */
  root: string;
  argv: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Reads the configuration section of a service in the same way as the portal's backend reads its
 * own: from `app-config.yaml` and `app-config.local.yaml` in the root, or from the files given with
 * `--config`, overridden by `APP_CONFIG_…` variables. The addresses of the portal are added as
 * `portal`, unless the section sets its own.
 */
export async function readSection(
  origin: ConfigurationOrigin,
): Promise<Record<string, unknown>> {
  const { configKey, root, argv, env } = origin;
  // Imported here because it takes a tenth of the startup time, and agents and most tests read no
  // configuration.
  const { ConfigSources } = await import('@backstage/config-loader');
  const config = await ConfigSources.toConfig(
    ConfigSources.default({
      rootDir: root,
      argv,
      env,
      substitutionFunc: async name => env[name],
      watch: false,
    }),
  );
  try {
    const section =
      config.getOptional<Record<string, unknown>>(configKey) ?? {};
    const baseUrl = config.getOptionalString('backend.baseUrl');
    const appUrl = config.getOptionalString('app.baseUrl');
    return {
      ...section,
      portal: {
        ...(baseUrl && { baseUrl }),
        ...(appUrl && { appUrl }),
        ...(section.portal as Record<string, unknown> | undefined),
      },
    };
  } finally {
    config.close();
  }
}

/** The keys outside the section that {@link readSection} reads: the addresses of the portal. */
const PORTAL_KEYS: readonly string[] = ['app.baseUrl', 'backend.baseUrl'];

/**
 * Finds the settings that prevent a service from running in production, among those that it reads.
 * Returns none outside production.
 */
export function findFaults(
  origin: ConfigurationOrigin,
): Promise<ProductionFault[]> {
  const { configKey, ...rest } = origin;
  return findProductionFaults({
    ...rest,
    nodeEnv: origin.env.NODE_ENV,
    reads: key => key.startsWith(`${configKey}.`) || PORTAL_KEYS.includes(key),
  });
}

/** The repository that a service is part of. */
export interface Repository {
  /** Absolute path; the configuration and relative file names are resolved against it. */
  root: string;
  /** The version of the root package, shared by all services. */
  version: string;
}

/**
 * Finds the package with `workspaces` in a directory or the nearest ancestor.
 *
 * @throws Error if not found.
 */
export function findRepositoryRoot(from: string = process.cwd()): Repository {
  for (let directory = path.resolve(from); ;) {
    const manifest = readManifest(path.join(directory, 'package.json'));
    if (manifest?.workspaces) {
      return { root: directory, version: manifest.version ?? '0.0.0' };
    }
    const parent = path.dirname(directory);
    if (parent === directory) {
      throw new Error(`No package.json with workspaces in or above ${from}`);
    }
    directory = parent;
  }
}

function readManifest(
  file: string,
): { workspaces?: unknown; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
