import { setTimeout as sleep } from 'node:timers/promises';
import { serveProcess } from '../serveProcess.ts';

// Returns its process id after a number of milliseconds, or computes for seconds.
void serveProcess<number | 'compute'>({
  async answer(request) {
    if (request === 'compute') {
      const end = Date.now() + 5_000;
      while (Date.now() < end) {
        // Blocks the event loop.
      }
    } else {
      await sleep(request);
    }
    return process.pid;
  },
  isTooHeavy: () => false,
  close: () => undefined,
});
