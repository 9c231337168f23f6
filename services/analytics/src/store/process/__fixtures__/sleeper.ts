import { setTimeout as sleep } from 'node:timers/promises';
import { serveProcess } from '../serveProcess.ts';

const COMPUTED_MS = 200;
const LONG_MS = 60_000;

/** Returns the CPU time of this process so far, in milliseconds. */
function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

// Returns its process id after a number of milliseconds, or computes and then does not answer.
void serveProcess<number | 'compute'>({
  async answer(request) {
    if (request === 'compute') {
      const end = busyMs() + COMPUTED_MS;
      while (busyMs() < end) {
        // Blocks the event loop, for longer if the machine is busy.
      }
    }
    await sleep(request === 'compute' ? LONG_MS : request);
    return process.pid;
  },
  isTooHeavy: () => false,
  close: () => undefined,
});
