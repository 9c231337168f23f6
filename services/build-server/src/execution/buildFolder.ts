import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { PlaceLostError } from './Executor.ts';

/** The folders of one build, as seen by its programs or by the server. */
export interface BuildFolders {
  /** The checkout, in which steps start. */
  work: string;
  home: string;
  tmp: string;
}

/** Returns the folders of a build as the server sees them. */
export function foldersIn(directory: string): BuildFolders {
  return {
    work: path.join(directory, 'work'),
    home: path.join(directory, 'home'),
    tmp: path.join(directory, 'tmp'),
  };
}

/** Creates the folders of a build for the server's user only. */
export async function makeFolders(directory: string): Promise<void> {
  await Promise.all(
    Object.values(foldersIn(directory)).map(folder =>
      mkdir(folder, { recursive: true, mode: 0o700 }),
    ),
  );
}

/**
 * Marks the folder of a build as complete, and contains its number. It is removed before the
 * folder is, so that a partly removed folder is never reused.
 */
const MARK = '.complete';

/**
 * Removes what an earlier attempt left, unless the build resumes with it.
 *
 * @returns the number of the folder if it is kept.
 * @throws PlaceLostError if a build that resumes no longer has its files.
 */
export async function clearFolder(
  directory: string,
  { resumes = false }: { resumes?: boolean },
): Promise<number | undefined> {
  if (!resumes) {
    await removeFolder(directory);
    return undefined;
  }
  const mark = path.join(directory, MARK);
  const text = await readFile(mark, 'utf8').catch(() => {
    throw new PlaceLostError('its files are gone');
  });
  return text === '' ? undefined : Number(text);
}

/**
 * Records that a folder is complete, so that a later attempt can resume with it.
 *
 * @param number - determines the folder's user and limits, in place of the build's id.
 */
export function markComplete(
  directory: string,
  number?: number,
): Promise<void> {
  return writeFile(path.join(directory, MARK), String(number ?? ''));
}

/** Removes the folder of a build with everything in it. */
export async function removeFolder(directory: string): Promise<void> {
  await rm(path.join(directory, MARK), { force: true });
  const remove = () =>
    rm(directory, {
      recursive: true,
      force: true,
      maxRetries: 5,
      retryDelay: 50,
    });
  try {
    await remove();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') {
      throw error;
    }
    // Only root may empty a folder that is not writable, such as those of Go's module cache.
    await openFolders(directory);
    await remove();
  }
}

/** Removes folders of builds. @throws the first error, after removing all that can be removed. */
export async function removeFolders(
  directories: readonly string[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const directory of directories) {
    await removeFolder(directory).catch(error => failures.push(error));
  }
  if (failures.length > 0) {
    throw failures[0];
  }
}

/**
 * Makes a folder and everything in it writable. Links are not followed. Folders may disappear in
 * the meantime: `rm` rejects with its first error while it is still removing others.
 */
async function openFolders(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        await openFolders(path.join(folder, entry.name));
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
  }
}
