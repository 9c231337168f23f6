import { existsSync } from 'node:fs';
import path from 'node:path';

/** The repository, which relative file names of the configuration are relative to. */
export function findRoot(from: string = import.meta.dirname): string {
  const parent = path.dirname(from);
  return existsSync(path.join(from, 'yarn.lock')) || parent === from
    ? from
    : findRoot(parent);
}
