import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPortHolder } from '@slipway/dev-runner/src/ports.ts';

/** A service that is gone until the outage ends: what connects to its port is turned away. */
export class Outage {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Kills who listens on a port, and stands in its place before it is started again. */
  static async begin(port: number): Promise<Outage> {
    for (;;) {
      const holder = findPortHolder(port);
      if (holder) {
        process.kill(holder.pid, 'SIGKILL');
      }
      const server = createServer(socket => socket.resetAndDestroy());
      server.listen(port, '127.0.0.1');
      try {
        await once(server, 'listening');
        return new Outage(server);
      } catch {
        // It has not let go of the port yet, or was started again.
        await sleep(50);
      }
    }
  }

  /** Lets the service be started again. A second call changes nothing. */
  async end(): Promise<void> {
    if (this.#server.listening) {
      this.#server.close();
      await once(this.#server, 'close');
    }
  }
}

/**
 * Stops a service without ending it: it takes connections and says nothing.
 *
 * @returns what lets it go on.
 * @throws Error when nothing listens on the port.
 */
export function stall(port: number): () => void {
  const holder = findPortHolder(port);
  if (!holder) {
    throw new Error(`Nothing listens on port ${port}`);
  }
  process.kill(holder.pid, 'SIGSTOP');
  return () => process.kill(holder.pid, 'SIGCONT');
}
