import { createHash } from 'node:crypto';
import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * A text that changes when a file does, of the ones given and those in the folders
 * given.
 *
 * @param sources - absolute paths.
 */
export async function stampOf(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesOf(source)) {
      hash.update(path.relative(source, file)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesOf(source: string): Promise<string[]> {
  if ((await stat(source)).isFile()) {
    return [source];
  }
  const files: string[] = [];
  for await (const entry of glob('**', { cwd: source, withFileTypes: true })) {
    if (entry.isFile()) {
      files.push(path.join(entry.parentPath, entry.name));
    }
  }
  return files.sort();
}
