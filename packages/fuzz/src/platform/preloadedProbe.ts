import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Preloaded into each process under test. Tells how long its event loop was held, in
// processor time of the main thread: what else the machine does is not counted.

const TICK_MS = 5;

const port = process.env.SLIPWAY_PROBE_PORT;
// Not for what the process starts itself.
delete process.env.SLIPWAY_PROBE_PORT;

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
  setInterval(tick, TICK_MS).unref();
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  // Each answer starts the measure anew.
  const server = createServer((request, response) => {
    tick();
    if (request.url === '/collected') {
      collectGarbage();
      last = threadMs();
    }
    const answer = { longestMs, rss: process.memoryUsage.rss() };
    longestMs = 0;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  server.listen(Number(port), '127.0.0.1');
  server.unref();
}

if (port !== undefined && isMainThread) {
  measure();
}
