import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestSources } from './digestSources.ts';
import { createBuildFolder, replaceBuild } from './freshBuild.ts';

/** Says in a build what it was made of. */
const MARK = '.built-from';

/**
 * Builds a package unless its build in `dist` is of the sources as they are now.
 * Until the new build is whole the one before it stays, for whoever reads it meanwhile:
 * other platforms of the same checkout do. Resolves to whether it was built.
 *
 * @param options.root - absolute path of the repository.
 * @param options.folder - of the package, relative to the root.
 * @param options.build - makes `dist` in a folder that stands for the package's; what it
 *   leaves when it rejects, or when this process is killed meanwhile, is never taken
 *   for a build.
 */
export async function buildWhenChanged(options: {
  root: string;
  packageName: string;
  folder: string;
  build: (folder: string) => Promise<void>;
}): Promise<boolean> {
  const { root, packageName, build } = options;
  const folder = path.join(root, options.folder);
  const dist = path.join(folder, 'dist');
  // Of what is there before the build: what changes during it is not in it for sure.
  const digest = digestSources(root, packageName);
  if (readMark(path.join(dist, MARK)) === digest) {
    return false;
  }
  const fresh = createBuildFolder(folder);
  try {
    await build(fresh);
    const made = path.join(fresh, 'dist');
    writeFileSync(path.join(made, MARK), digest);
    replaceBuild(made, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return true;
}

function readMark(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
