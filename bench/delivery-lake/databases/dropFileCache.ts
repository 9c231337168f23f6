import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Smaller files are the database's own catalogues, which are read all the time. */
const LARGE_BYTES = 1_000_000;

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async file => stat(file)));
  return files.filter((_, index) => sizes[index].size >= LARGE_BYTES);
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
