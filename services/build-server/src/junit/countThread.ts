import { parentPort, workerData } from 'node:worker_threads';
import { SecretMask } from '../secrets/SecretMask.ts';
import { type Counted, type CountOrder, END } from './countTests.ts';
import { JUnitError, readJUnit } from './readJUnit.ts';

// The thread of `countTests`: receives reports, then counts their test cases.

interface Report {
  path: string;
  text: string;
}

const mask = new SecretMask((workerData as CountOrder).secrets);
const reports: Report[] = [];

/** Masks one report at a time, so that at most one is in memory twice. */
function* masked(): Iterable<Report> {
  for (const { path, text } of reports) {
    yield { path, text: mask.text(text) };
  }
}

function count(): Counted {
  try {
    return { tests: readJUnit(masked()) };
  } catch (error) {
    if (error instanceof JUnitError) {
      return { fault: error.message };
    }
    throw error;
  }
}

parentPort!.on('message', (message: Report | typeof END) => {
  if (message === END) {
    parentPort!.postMessage(count());
  } else {
    reports.push(message);
  }
});
