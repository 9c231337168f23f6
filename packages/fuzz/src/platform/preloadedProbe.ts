import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Preloaded into each process under test. Measures how long its event loop is blocked, in CPU time
// of the main thread, so that the load of the machine does not count.

const TICK_MS = 5;
/** Time without a reading after which a process counts as no longer under test. */
const IDLE_MS = 60_000;

// Not in the environment, which a process may hide by restarting itself.
const port = new URL(import.meta.url).searchParams.get('port');

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function measure(): void {
  let last = threadMs();
  let longestMs = 0;
  const tick = () => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  let readAt = 0;
  let ticks: NodeJS.Timeout | undefined;
  /** Keeps measuring until readings stop: only one process is under test at a time. */
  const keepMeasuring = () => {
    readAt = performance.now();
    ticks ??= setInterval(() => {
      tick();
      if (performance.now() - readAt > IDLE_MS) {
        clearInterval(ticks);
        ticks = undefined;
      }
    }, TICK_MS).unref();
  };
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  // Each response restarts the measurement.
  const server = createServer((request, response) => {
    // Counts the time since the last tick, which may be long ago after a pause.
    tick();
    keepMeasuring();
    if (request.url === '/collected') {
      collectGarbage();
      last = threadMs();
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    const answer = { longestMs, rss, used: heapUsed + external };
    longestMs = 0;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  // On a busy machine, a request may arrive just when an idle connection would be closed.
  server.keepAliveTimeout = 0;
  // Child processes inherit the options and find the port in use.
  server.on('error', () => {});
  server.listen(Number(port), '127.0.0.1');
  server.unref();
}

if (isMainThread) {
  measure();
}
