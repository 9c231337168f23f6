import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './LoadJob.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Sends load from another process. @throws Error when any request is not answered as it should be. */
export function sendLoad(job: LoadJob): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(main);
    child.once('message', result => resolve(result as LoadResult));
    child.once('error', reject);
    child.once('exit', code =>
      reject(new Error(`The load process ended with ${code}`)),
    );
    child.send(job);
  });
}
