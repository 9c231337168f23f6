import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a job in a separate process, so that it does not share an event loop with the
 * measurement.
 *
 * @param module - URL of a module that calls {@link doJob} when it is run.
 * @param job - JSON value.
 * @returns the result of the job.
 * @throws Error if the job failed.
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

/**
 * Runs the job of a process that {@link forkJob} started, and reports its result; does
 * nothing in other processes.
 */
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
