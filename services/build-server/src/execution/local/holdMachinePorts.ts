import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Serves as a lock: only one process at a time can listen at this address, in the network namespace
 * of the ports that it protects. The system releases it when the process ends.
 */
const ADDRESS =
  process.platform === 'linux'
    ? { path: '\0slipway-build-services' }
    : { host: '127.0.0.1', port: 47_821 };
const POLL_MS = 250;

/**
 * Waits until no other build on this machine runs services on the machine's ports: a build could
 * mistake the services of another for its own.
 *
 * @param options.onWait - called once if another build uses them.
 * @returns a function that releases the ports for other builds.
 * @throws Interruption when the signal aborts.
 */
export async function holdMachinePorts({
  signal,
  onWait,
}: {
  signal: AbortSignal;
  onWait(): Promise<void>;
}): Promise<() => void> {
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    const server = await listen();
    if (server) {
      return () => server.close();
    }
    if (tries === 0) {
      await onWait();
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Listens at the address. @returns undefined if another build listens there. */
async function listen(): Promise<Server | undefined> {
  const server = createServer(socket => socket.destroy());
  server.listen(ADDRESS);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      return undefined;
    }
    throw error;
  }
  server.unref();
  return server;
}
