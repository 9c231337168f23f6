import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An address that only one process has at a time, in the same network namespace as the ports that
 * it stands for. It is free again when the process ends.
 */
const ADDRESS =
  process.platform === 'linux'
    ? { path: '\0slipway-build-services' }
    : { host: '127.0.0.1', port: 47_821 };
const POLL_MS = 250;

/**
 * Waits until no other build on this machine runs services on the machine's ports: a build could
 * take the services of another for its own.
 *
 * @param options.onWait - called once if another build has them.
 * @returns a function that lets other builds have them.
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

/** Listens at the address. @returns undefined if another build has it. */
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
