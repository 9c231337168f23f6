import path from 'node:path';
import { EditorProvider } from './EditorProvider';
import { writeGitCaBundle } from './gitCaBundle';
import { GitGuard } from './GitGuard';
import { Isolation } from './isolation/chooseIsolation';
import { LocalRuntimeOptions } from './LocalRuntimeOptions';
import { Semaphore } from './Semaphore';
import { InstallationPaths } from './WorkspacePaths';
import { ArchiveSource } from './zip/ArchiveSource';

/** What every start of an installation shares. */
export interface StartDependencies {
  options: LocalRuntimeOptions;
  installation: InstallationPaths;
  editors: EditorProvider;
  /** Bounds how many editors start at the same time. */
  turns: Semaphore;
  isolation: Isolation;
  gitGuard: GitGuard;
  archives: ArchiveSource;
  /** Certificate authorities for git; undefined for the system's. */
  caBundle: string | undefined;
}

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
