import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Time since the last write to an unfinished file after which its server must have crashed.
 * Servers share folders, so a fresh one may still be written by another server.
 */
const ABANDONED_MS = 3_600_000;

/**
 * Removes the unfinished files (`*.part`) of servers that crashed.
 *
 * @param directory - absolute.
 */
export async function removeAbandoned(
  directory: string,
  now: number,
): Promise<void> {
  for (const name of await readdir(directory).catch((): string[] => [])) {
    const file = path.join(directory, name);
    const found = name.endsWith('.part')
      ? await stat(file).catch(() => undefined)
      : undefined;
    if (found && found.mtimeMs < now - ABANDONED_MS) {
      await rm(file, { force: true });
    }
  }
}
