import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PlaceLostError } from './Executor.ts';

/**
 * Marks the folder of a build as complete. It is removed before the folder is, so that a
 * partly removed folder is never reused.
 */
const MARK = '.complete';

/**
 * Removes what an earlier attempt left, unless the build resumes with it.
 *
 * @throws PlaceLostError if a build that resumes no longer has its files.
 */
export async function clearFolder(
  directory: string,
  { resumes = false }: { resumes?: boolean },
): Promise<void> {
  if (!resumes) {
    await removeFolder(directory);
    return;
  }
  await access(path.join(directory, MARK)).catch(() => {
    throw new PlaceLostError('its files are gone');
  });
}

/** Records that a folder is complete, so that a later attempt can resume with it. */
export function markComplete(directory: string): Promise<void> {
  return writeFile(path.join(directory, MARK), '');
}

/** Removes the folder of a build with everything in it. */
export async function removeFolder(directory: string): Promise<void> {
  await rm(path.join(directory, MARK), { force: true });
  await rm(directory, {
    recursive: true,
    force: true,
    maxRetries: 5,
    retryDelay: 50,
  });
}
