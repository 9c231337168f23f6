import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPortHolder } from '@slipway/dev-runner/src/ports.ts';

/** Keeps a service down until the outage ends: connections to its port are rejected. */
export class Outage {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Kills the process that listens on a port, and occupies the port before it is restarted. */
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
        // The port is still in use, or the service was restarted.
        await sleep(50);
      }
    }
  }

  /** Lets the service be restarted. Further calls have no effect. */
  async end(): Promise<void> {
    if (this.#server.listening) {
      this.#server.close();
      await once(this.#server, 'close');
    }
  }
}

/**
 * Suspends a service without ending it: it accepts connections but does not respond.
 *
 * @returns a function that resumes it.
 * @throws Error if nothing listens on the port.
 */
export function stall(port: number): () => void {
  const holder = findPortHolder(port);
  if (!holder) {
    throw new Error(`Nothing listens on port ${port}`);
  }
  process.kill(holder.pid, 'SIGSTOP');
  return () => process.kill(holder.pid, 'SIGCONT');
}
