import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { readDevfileRules } from '../../devfile/DevfileReader';
import { Semaphore } from '../../queues';
import { EditorProvider } from './editors';
import { InstallationPaths } from './files/WorkspacePaths';
import { LocalRuntime } from './LocalRuntime';
import { LocalRuntimeOptions, readLocalRuntimeOptions } from './options';
import { Lease } from './process/guard';
import { RuledGitGuard } from './projects/cloneProject';
import { RuledArchiveSource } from './projects/unpackProject';
import { chooseIsolation } from './sandbox/isolation';
import { StartDependencies } from './WorkspaceStart';

/** Prepares the data folder and looks for an editor. */
export function createStartDependencies(
  options: LocalRuntimeOptions,
  walls: Pick<StartDependencies, 'isolation' | 'gitGuard' | 'archives'>,
): StartDependencies {
  const installation = new InstallationPaths(options.dataDir);
  installation.create();
  let caBundle: string | undefined;
  if (options.caFile) {
    caBundle = path.join(options.dataDir, 'git-ca.pem');
    writeGitCaBundle(options.caFile, caBundle);
  }
  return {
    ...walls,
    options,
    installation,
    editors: new EditorProvider(options),
    turns: new Semaphore(options.limits.concurrentStarts),
    caBundle,
  };
}

/**
 * Creates the local runtime from `ideLauncher.local` of the root configuration.
 *
 * @throws Error if the required isolation does not work here.
 */
export async function createLocalRuntime(options: {
  config: Config;
  logger: LoggerService;
}): Promise<LocalRuntime> {
  const { config, logger } = options;
  const local = readLocalRuntimeOptions(config, { logger });
  const installation = new InstallationPaths(local.dataDir);
  installation.create();
  // Before anything slow: editors left by a killed portal are waiting for the lease.
  const lease = new Lease(installation.lease, local.lease.intervalMs);
  const isolation = await chooseIsolation(local, {
    production: process.env.NODE_ENV === 'production',
  }).catch(error => {
    lease.stop();
    throw error;
  });
  const reading = {
    rules: readDevfileRules(config),
    ca: local.caFile ? trustedWith(local.caFile) : undefined,
  };
  const dependencies = createStartDependencies(local, {
    isolation,
    gitGuard: new RuledGitGuard(reading),
    archives: new RuledArchiveSource(reading),
  });
  return new LocalRuntime(dependencies, lease);
}

/**
 * Writes the certificate authorities for git. Git's own setting replaces the system's
 * authorities, so the file includes both those and the extra ones.
 */
export function writeGitCaBundle(extraFile: string, bundleFile: string): void {
  writeFileSync(bundleFile, `${trustedWith(extraFile).join('\n')}\n`);
  // Certificates are not secret, and workspaces may run as separate users.
  chmodSync(bundleFile, 0o644);
}

/** Returns the authorities that Node.js and the system trust, and those of a file. */
export function trustedWith(extraFile: string): string[] {
  return [
    ...new Set([
      ...getCACertificates('bundled'),
      ...getCACertificates('system'),
      readFileSync(extraFile, 'utf8'),
    ]),
  ];
}
