import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestSources } from './digestSources.ts';

/** Last of all that is written to a build, and first of all that is taken away. */
const MARK = '.built-from';

/**
 * Builds a package unless its build in `dist` is whole and of the sources as they are
 * now. Resolves to whether it was built.
 *
 * @param options.root - absolute path of the repository.
 * @param options.folder - of the package, relative to the root.
 * @param options.build - makes `dist` anew; what it leaves when it rejects, or when this
 *   process is killed meanwhile, is never taken for a build.
 */
export async function buildWhenChanged(options: {
  root: string;
  packageName: string;
  folder: string;
  build: () => Promise<void>;
}): Promise<boolean> {
  const { root, packageName, folder, build } = options;
  const mark = path.join(root, folder, 'dist', MARK);
  // Of what is there before the build: what changes during it is not in it for sure.
  const digest = digestSources(root, packageName);
  if (readMark(mark) === digest) {
    return false;
  }
  rmSync(mark, { force: true });
  await build();
  writeFileSync(`${mark}.new`, digest);
  renameSync(`${mark}.new`, mark);
  return true;
}

function readMark(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
