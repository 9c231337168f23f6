import { Worker } from 'node:worker_threads';
import type { TestSummary } from '../builds/Build.ts';
import { JUnitError } from './readJUnit.ts';

/** Megabytes of objects that reports may become; 20 MB of small test cases take half of it. */
const MEMORY_MB = 1_024;

/** What is given to the thread before the reports. */
export interface CountOrder {
  /** Values that the summary must not show. */
  secrets: readonly string[];
}

/** The message to the thread that no more reports come. */
export const END = 'end';

/** What the thread answers: the summary, or what is wrong with the reports. */
export type Counted = { tests: TestSummary } | { fault: string };

/**
 * Counts the test cases of JUnit reports in a thread of its own: builds write what they
 * like, and 20 MB of small test cases take ten seconds, in which a server that parsed them
 * itself would answer nobody.
 *
 * @param options.signal - ends the thread; its reason is thrown.
 * @throws JUnitError for what is no report, or takes too much memory.
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
