import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, {
    recursive: true,
    withFileTypes: true,
  });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));
}

/**
 * Takes the files of a directory out of the system's memory (Linux, GNU dd:
 * POSIX_FADV_DONTNEED), those alone and without being root.
 */
export async function dropFileCache(directory: string): Promise<void> {
  for (const file of await filesIn(directory)) {
    await run('dd', [
      `of=${file}`,
      'oflag=nocache',
      'conv=notrunc,fdatasync',
      'count=0',
      'status=none',
    ]);
  }
}
