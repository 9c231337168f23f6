import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigSources } from '@backstage/config-loader';
import {
  findProductionFaults,
  type ProductionFault,
} from '@slipway/platform-guards';

/** The sources of the configuration of a service. */
export interface ConfigurationOrigin {
  /** Top-level key of its section. */
  configKey: string;
  /** Directory of `app-config.yaml`. */
  root: string;
  argv: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Reads the section of a service as the portal's back end reads its own: from
 * `app-config.yaml` and `app-config.local.yaml` in the root, or the files of
 * `--config`, with `APP_CONFIG_…` variables over both. The addresses of the portal
 * come along as `portal`, unless the section has its own.
 */
export async function readSection(
  origin: ConfigurationOrigin,
): Promise<Record<string, unknown>> {
  const { configKey, root, argv, env } = origin;
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

/** What {@link readSection} takes from elsewhere: the addresses of the portal. */
const PORTAL_KEYS: readonly string[] = ['app.baseUrl', 'backend.baseUrl'];

/**
 * Finds what keeps a service from running in production with the configuration that it
 * reads; none elsewhere.
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

/** The repository that a service runs from. */
export interface Repository {
  /** Absolute path; configuration and relative file names are under it. */
  root: string;
  /** The version of the root package, which every service has. */
  version: string;
}

/**
 * Finds the package with `workspaces` in or above a directory.
 *
 * @throws Error when there is none.
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
