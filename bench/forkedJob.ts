import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Has a process of its own do a job, so that it shares no event loop with who measures.
 *
 * @param module - calls {@link doJob} when it is run.
 * @param job - JSON.
 * @returns what came of it.
 * @throws Error when the job failed.
 */
export function forkJob<Result>(module: string, job: object): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(module));
    child.once('message', result => resolve(result as Result));
    child.once('error', reject);
    child.once('exit', code =>
      reject(new Error(`The process of a job ended with ${code}`)),
    );
    child.send(job);
  });
}

/** Does the job that this process was forked for; nothing in a process that was not. */
export function doJob<Job>(work: (job: Job) => Promise<unknown>): void {
  if (!process.send) {
    return;
  }
  process.once('message', (job: Job) => {
    work(job).then(
      result => process.send?.(result, () => process.disconnect()),
      error => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
