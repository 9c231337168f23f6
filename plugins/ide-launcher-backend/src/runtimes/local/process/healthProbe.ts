import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const PROBE_INTERVAL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;

/** The socket and path at which an editor says that it is ready. */
interface HealthAddress {
  socket: string;
  path: string;
}

/** Asks once; true for a 200. What listens there may be anything: it gets its time, and no more by dragging it out. */
export function isHealthy(address: HealthAddress): Promise<boolean> {
  return new Promise(resolve => {
    const probe = request(
      {
        socketPath: address.socket,
        path: address.path,
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      },
      response => {
        // Editors answer 404 for an instant, before their routes are mounted.
        resolve(response.statusCode === 200);
        response.destroy();
      },
    );
    probe.on('error', () => resolve(false));
    probe.end();
  });
}

/** Asks until the answer is 200 (true), or until the time is over (false). Rejects when the signal aborts. */
export async function waitUntilHealthy(
  address: HealthAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    signal.throwIfAborted();
    if (await isHealthy(address)) {
      return true;
    }
    // An aborted sleep has a reason of its own; the loop throws the signal's.
    await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(
      () => undefined,
    );
  }
  return false;
}
