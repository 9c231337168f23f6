import { existsSync, readFileSync } from 'node:fs';

/** Returns the process ids of the running descendants of a process. */
export function descendantsOf(pid: number | undefined): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (pid === undefined || !existsSync(file)) {
    return [];
  }
  const children = readFileSync(file, 'utf8').split(' ').filter(Boolean);
  return children
    .map(Number)
    .flatMap(child => [...descendantsOf(child), child]);
}
