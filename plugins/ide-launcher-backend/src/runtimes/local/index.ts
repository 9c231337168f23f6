import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { LocalRuntime } from './LocalRuntime';
import { readLocalRuntimeOptions } from './readLocalRuntimeOptions';

/** The local runtime as `ideLauncher.local` of the root configuration describes it. */
export function createLocalRuntime(options: {
  config: Config;
  logger: LoggerService;
}): LocalRuntime {
  const { config, logger } = options;
  return LocalRuntime.create(readLocalRuntimeOptions(config, { logger }));
}
