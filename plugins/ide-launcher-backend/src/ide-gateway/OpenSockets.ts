import { Duplex } from 'node:stream';

/** An open connection, and whether whoever opened it still may have it. */
interface OpenSocket {
  socket: Duplex;
  isAllowed(): Promise<boolean>;
}

/** The WebSocket connections to each workspace, so that they can be ended with it or with their session. */
export class OpenSockets {
  readonly #sockets = new Map<string, Set<OpenSocket>>();

  /** Remembers a socket for as long as it is open. */
  add(
    workspaceId: string,
    socket: Duplex,
    isAllowed: () => Promise<boolean>,
  ): void {
    const sockets = this.#sockets.get(workspaceId) ?? new Set();
    const open = { socket, isAllowed };
    this.#sockets.set(workspaceId, sockets.add(open));
    socket.once('close', () => {
      sockets.delete(open);
      if (sockets.size === 0) {
        this.#sockets.delete(workspaceId);
      }
    });
  }

  /** Ends every connection to a workspace. */
  disconnect(workspaceId: string): void {
    for (const { socket } of this.#sockets.get(workspaceId) ?? []) {
      socket.destroy();
    }
  }

  /** Ends the connections whose session is over: expired, or revoked here or by another replica. */
  async recheck(): Promise<void> {
    const open = [...this.#sockets.values()].flatMap(sockets => [...sockets]);
    for (const { socket, isAllowed } of open) {
      if (!(await isAllowed())) {
        socket.destroy();
      }
    }
  }

  disconnectAll(): void {
    for (const workspaceId of [...this.#sockets.keys()]) {
      this.disconnect(workspaceId);
    }
  }
}
