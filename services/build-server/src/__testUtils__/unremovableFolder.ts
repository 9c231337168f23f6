import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Creates a folder that Node cannot remove: its contents have paths that are too long. */
export async function makeUnremovable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const name = 'n'.repeat(200);
  await promisify(execFile)(
    'sh',
    // The shell fails where the path becomes too long, which is where Node fails too.
    ['-c', `while mkdir ${name} && cd ${name} 2>&-; do :; done`],
    { cwd: folder },
  );
}

/** Removes a folder, even one made by {@link makeUnremovable}. */
export async function removeAnyhow(folder: string): Promise<void> {
  await promisify(execFile)('rm', ['-rf', folder]);
}
