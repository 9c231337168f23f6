import { setTimeout as sleep } from 'node:timers/promises';
import { serveProcess } from '../serveProcess.ts';

// Answers with its own process id, after so many milliseconds.
serveProcess<number>({
  async answer(milliseconds) {
    await sleep(milliseconds);
    return process.pid;
  },
  isTooHeavy: () => false,
  close: () => undefined,
});
