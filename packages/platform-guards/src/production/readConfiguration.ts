import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigReader } from '@backstage/config';
import type { ConfigSourceData, ConfigSources } from '@backstage/config-loader';
import { parse } from 'yaml';

/** Yields every string in a value with its key, e.g. `auth.apiKeys[0].key`. */
export function* stringsOf(
  value: unknown,
  key = '',
): Generator<[key: string, value: string]> {
  if (typeof value === 'string') {
    yield [key, value];
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield* stringsOf(element, `${key}[${index}]`);
    }
  } else if (value && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      yield* stringsOf(member, key ? `${key}.${name}` : name);
    }
  }
}

const REFERENCE = /(\$?)\$\{([^{}]*)\}/g;

/** A reference to an environment variable in the configuration. */
interface VariableReference {
  /** The key in the configuration, e.g. `feedback.publicUrl`. */
  key: string;
  /** E.g. `FEEDBACK_PUBLIC_URL`. */
  variable: string;
}

/**
 * Yields the variables that a configuration requires: `${NAME}` within a string, and `{ $env: NAME
 * }`. `${NAME:-default}` is optional.
 *
 * @param configuration - as written, before substitution.
 */
export function* requiredVariables(
  configuration: unknown,
  key = '',
): Generator<VariableReference> {
  if (typeof configuration === 'string') {
    for (const [, escape, expression] of configuration.matchAll(REFERENCE)) {
      if (!escape && !expression.includes(':-')) {
        yield { key, variable: expression.trim() };
      }
    }
  } else if (Array.isArray(configuration)) {
    for (const [index, element] of configuration.entries()) {
      yield* requiredVariables(element, `${key}[${index}]`);
    }
  } else if (configuration && typeof configuration === 'object') {
    const { $env: variable } = configuration as { $env?: unknown };
    if (typeof variable === 'string') {
      yield { key, variable };
      return;
    }
    for (const [name, member] of Object.entries(configuration)) {
      yield* requiredVariables(member, key ? `${key}.${name}` : name);
    }
  }
}

/** Contains the development values; in production, other files override it. */
const DEVELOPMENT_FILE = 'app-config.yaml';

/** The sources from which a process reads its configuration. */
export interface ConfigurationOrigin {
  /** Its arguments; `--config` names files. */
  argv: string[];
  /**
   * The directory of `app-config.yaml`, used if the arguments name no file; found automatically by
   * default.
   */
  root?: string;
  env: NodeJS.ProcessEnv;
}

/** Three views of one configuration. */
interface Configuration {
  /** The effective values: variables are substituted, and keys of unset ones are left out. */
  effective: unknown;
  /** The values as written: the same sources merged, without substitution. */
  written: unknown;
  /** The effective values without the development file. */
  own: unknown;
}

/**
 * Reads the configuration as Backstage does, except that it does not find variables in included
 * files (`$include`).
 *
 * @throws Error if a file is missing or is not valid YAML.
 */
export async function readConfiguration(
  origin: ConfigurationOrigin,
): Promise<Configuration> {
  const { argv, root, env } = origin;
  // Imported here because it takes a tenth of the startup time, and only processes that start a
  // server need it.
  const { ConfigSources: Sources } = await import('@backstage/config-loader');
  const sources = await readSources(
    Sources.default({
      argv,
      rootDir: root,
      env,
      substitutionFunc: async name => env[name],
      watch: false,
    }),
  );
  return {
    effective: merge(sources),
    written: merge(await Promise.all(sources.map(asWritten))),
    own: merge(
      sources.filter(
        ({ path: file }) => !file || path.basename(file) !== DEVELOPMENT_FILE,
      ),
    ),
  };
}

async function readSources(
  source: ReturnType<typeof ConfigSources.default>,
): Promise<ConfigSourceData[]> {
  for await (const { configs } of source.readConfigData()) {
    return configs;
  }
  return [];
}

async function asWritten(source: ConfigSourceData): Promise<ConfigSourceData> {
  if (!source.path) {
    // Values of APP_CONFIG_… variables, where `${` has no special meaning.
    const escaped = JSON.stringify(source.data).replaceAll('${', () => '$${');
    return { ...source, data: JSON.parse(escaped) };
  }
  return { ...source, data: parse(await readFile(source.path, 'utf8')) };
}

function merge(sources: ConfigSourceData[]): unknown {
  return ConfigReader.fromConfigs(sources).getOptional();
}
