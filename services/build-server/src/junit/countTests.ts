import { Worker } from 'node:worker_threads';
import type { TestSummary } from '../builds/Build.ts';
import { JUnitError } from './readJUnit.ts';

/** Memory limit of the thread in megabytes; 20 MB of small test cases need half of it. */
const MEMORY_MB = 1_024;

/** The first message to the thread, before the reports. */
export interface CountOrder {
  /** Values masked in the summary. */
  secrets: readonly string[];
}

/** The message to the thread that ends the reports. */
export const END = 'end';

/** The response of the thread: the totals, or what is wrong with the reports. */
export type Counted = { tests: TestSummary } | { fault: string };

/**
 * Counts the test cases of JUnit reports in a separate thread: reports are untrusted, and
 * parsing 20 MB of small test cases takes ten seconds, during which the server could not
 * respond.
 *
 * @param options.signal - ends the thread; its reason is thrown.
 * @throws JUnitError if a report is invalid, or takes too much memory.
 */
export async function countTests(
  reports: readonly { path: string; text: string }[],
  options: { secrets: readonly string[]; signal: AbortSignal },
): Promise<TestSummary> {
  const { secrets, signal } = options;
  signal.throwIfAborted();
  const order: CountOrder = { secrets };
  const thread = new Worker(new URL('./countThread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  let abort = () => {};
  try {
    return await new Promise<TestSummary>((resolve, reject) => {
      abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      thread.once('message', (counted: Counted) =>
        'tests' in counted
          ? resolve(counted.tests)
          : reject(new JUnitError(counted.fault)),
      );
      thread.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new JUnitError('The test reports take too much memory to read')
            : error,
        ),
      );
      reports.forEach(report => thread.postMessage(report));
      thread.postMessage(END);
    });
  } finally {
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}
