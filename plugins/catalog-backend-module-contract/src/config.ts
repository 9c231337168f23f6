import path from 'node:path';
import { Config, readDurationFromConfig } from '@backstage/config';
import { durationToMilliseconds, HumanDuration } from '@backstage/types';

const READ_TIMEOUT: HumanDuration = { seconds: 30 };

/** Options of the module, from `slipway.catalog` and, for files, `catalog.locations`. */
export interface ContractModuleOptions {
  /** Absolute paths of the folders with files that users may register. */
  folders: string[];
  /** Absolute paths of the files registered by the operator. */
  configuredFiles: string[];
  /** Targets registered by the operator: absolute paths of files, and URLs. */
  configuredTargets: ReadonlySet<string>;
  /** Namespaces of entities that may be sent over HTTP. */
  collections: string[];
  readTimeoutMs: number;
}

/** Reads the options of the module. @throws Error naming the invalid key. */
export function readContractModuleOptions(
  config: Config,
): ContractModuleOptions {
  const section = config.getOptionalConfig('slipway.catalog');
  const locations = config.getOptionalConfigArray('catalog.locations') ?? [];
  const absolute = (file: string) => path.resolve(file);
  const isFile = (location: Config) =>
    location.getOptionalString('type') === 'file';
  const configuredFiles = locations
    .filter(isFile)
    .map(location => absolute(location.getString('target')));
  return {
    folders: (section?.getOptionalStringArray('folders') ?? []).map(absolute),
    configuredFiles,
    configuredTargets: new Set([
      ...configuredFiles,
      ...locations
        .filter(location => !isFile(location))
        .map(location => location.getString('target')),
    ]),
    collections: section?.getOptionalStringArray('collections') ?? [],
    readTimeoutMs: durationToMilliseconds(
      section?.has('readTimeout')
        ? readDurationFromConfig(section, { key: 'readTimeout' })
        : READ_TIMEOUT,
    ),
  };
}
