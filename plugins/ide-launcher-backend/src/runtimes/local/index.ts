import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { ReadingRules } from '../../devfile/read/ReadingRules';
import { chooseIsolation } from './isolation/chooseIsolation';
import { trustedWith } from './gitCaBundle';
import { RuledGitGuard } from './GitGuard';
import { LocalRuntime } from './LocalRuntime';
import { readLocalRuntimeOptions } from './readLocalRuntimeOptions';

/**
 * The local runtime as `ideLauncher.local` of the root configuration describes it.
 *
 * @throws Error when the isolation that is due does not work here.
 */
export async function createLocalRuntime(options: {
  config: Config;
  logger: LoggerService;
}): Promise<LocalRuntime> {
  const { config, logger } = options;
  const local = readLocalRuntimeOptions(config, { logger });
  const isolation = await chooseIsolation(local, {
    production: process.env.NODE_ENV === 'production',
  });
  const gitGuard = new RuledGitGuard({
    rules: ReadingRules.fromConfig(config),
    ca: local.caFile ? trustedWith(local.caFile) : undefined,
  });
  return LocalRuntime.create(local, { isolation, gitGuard });
}
