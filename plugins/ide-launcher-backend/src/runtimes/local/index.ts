import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { ReadingRules } from '../../devfile/read/ReadingRules';
import { chooseIsolation } from './isolation/chooseIsolation';
import { trustedWith } from './gitCaBundle';
import { RuledGitGuard } from './GitGuard';
import { Lease } from './Lease';
import { LocalRuntime } from './LocalRuntime';
import { readLocalRuntimeOptions } from './readLocalRuntimeOptions';
import { createStartDependencies } from './StartDependencies';
import { InstallationPaths } from './WorkspacePaths';
import { RuledArchiveSource } from './zip/ArchiveSource';

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
  const installation = new InstallationPaths(local.dataDir);
  installation.create();
  // Before anything that takes its time: editors that a killed portal left wait for it.
  const lease = new Lease(installation.lease, local.lease.intervalMs);
  const isolation = await chooseIsolation(local, {
    production: process.env.NODE_ENV === 'production',
  }).catch(error => {
    lease.stop();
    throw error;
  });
  const reading = {
    rules: ReadingRules.fromConfig(config),
    ca: local.caFile ? trustedWith(local.caFile) : undefined,
  };
  const dependencies = createStartDependencies(local, {
    isolation,
    gitGuard: new RuledGitGuard(reading),
    archives: new RuledArchiveSource(reading),
  });
  return new LocalRuntime(dependencies, lease);
}
