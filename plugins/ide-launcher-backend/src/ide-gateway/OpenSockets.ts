import { Duplex } from 'node:stream';

/** The WebSocket connections to each workspace, so that they can be ended with it. */
export class OpenSockets {
  readonly #sockets = new Map<string, Set<Duplex>>();

  /** Remembers a socket for as long as it is open. */
  add(workspaceId: string, socket: Duplex): void {
    const sockets = this.#sockets.get(workspaceId) ?? new Set();
    this.#sockets.set(workspaceId, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) {
        this.#sockets.delete(workspaceId);
      }
    });
  }

  /** Ends every connection to a workspace. */
  disconnect(workspaceId: string): void {
    for (const socket of this.#sockets.get(workspaceId) ?? []) {
      socket.destroy();
    }
  }

  disconnectAll(): void {
    for (const workspaceId of [...this.#sockets.keys()]) {
      this.disconnect(workspaceId);
    }
  }
}
