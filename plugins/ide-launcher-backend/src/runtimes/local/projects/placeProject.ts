import { lstat, mkdir, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import { giveTreeToOwnerOf } from '../files/ownFiles';

/**
 * Moves a project that is complete from its draft into its place, as one step.
 *
 * @param options.subDir - folder of the draft that is the project; all of it by default.
 * @returns null when done, else why not, as the end of a sentence.
 */
export async function placeProject(options: {
  draft: string;
  subDir?: string;
  folder: string;
}): Promise<string | null> {
  const { draft, subDir, folder } = options;
  const source = path.resolve(draft, subDir ?? '');
  if (!(await isFolderOf(draft, source))) {
    return `it has no folder ${JSON.stringify(subDir)}`;
  }
  const above = path.dirname(folder);
  const made = await mkdir(above, { recursive: true, mode: 0o700 });
  if (made) {
    await giveTreeToOwnerOf(path.dirname(made), above);
  }
  await rename(source, folder);
  return null;
}

/** Returns whether a folder is where it says that it is: what others wrote may lead out of it by links. */
async function isFolderOf(draft: string, source: string): Promise<boolean> {
  const root = await realpath(draft);
  const expected = path.join(root, path.relative(draft, source));
  const real = await realpath(source).catch(() => null);
  return (
    real === expected &&
    (real === root || real.startsWith(`${root}${path.sep}`)) &&
    (await lstat(real)).isDirectory()
  );
}
