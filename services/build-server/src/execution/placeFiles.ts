import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { openInside } from '../artifacts/Artifacts.ts';

/** Returns a file name that no command of a build can guess. */
export function freshName(): string {
  return `.slipway-${randomBytes(8).toString('hex')}`;
}

/**
 * Writes a new file into a folder that a build can also write to, never through a link.
 *
 * @param folder - absolute.
 * @returns the name of the file in the folder.
 */
export async function putFile(
  folder: string,
  content: AsyncIterable<Buffer>,
): Promise<string> {
  const name = freshName();
  // The build runs as a different user.
  const file = await open(path.join(folder, name), 'wx', 0o644);
  try {
    for await (const chunk of content) {
      await file.writeFile(chunk);
    }
    await file.chmod(0o644);
  } finally {
    await file.close();
  }
  return name;
}

/** Opens a regular file in a folder that a build can write to; returns undefined if there is none. */
export async function takeFile(
  folder: string,
  name: string,
): Promise<FileHandle | undefined> {
  return openInside(await realpath(folder), name);
}
