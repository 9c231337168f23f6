import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Preloaded into each process under test. Tells how long its event loop was held, in
// processor time of the main thread: what else the machine does is not counted.

const TICK_MS = 5;

// Not of the environment, which a process may hide by starting itself anew.
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
    const { rss, heapUsed, external } = process.memoryUsage();
    const answer = { longestMs, rss, used: heapUsed + external };
    longestMs = 0;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  // What the process forks is given the same options, and finds the port taken.
  server.on('error', () => {});
  server.listen(Number(port), '127.0.0.1');
  server.unref();
}

if (isMainThread) {
  measure();
}
