import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Not among Node's constants: a file for its place alone, see open(2). */
// eslint-disable-next-line no-bitwise
const OPEN_PLACE = 0o10000000 | constants.O_NOFOLLOW;

/**
 * A Unix socket held by what it is, not by its name. The folder it lies in is
 * the workspace's: a name there may be made to lead to a neighbour's socket at
 * any time, and the portal would follow. Linux only.
 */
class PinnedSocket {
  /** The path to connect to; good until {@link close}. */
  readonly path: string;
  readonly #descriptor: number;
  #closed = false;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.path = `/proc/self/fd/${descriptor}`;
  }

  /** @throws Error when there is no socket of that very name. */
  static open(file: string): PinnedSocket {
    const descriptor = openSync(file, OPEN_PLACE);
    if (!fstatSync(descriptor).isSocket()) {
      closeSync(descriptor);
      throw new Error('The workspace has no socket at its path');
    }
    return new PinnedSocket(descriptor);
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      closeSync(this.#descriptor);
    }
  }
}

/** The sockets of a sandbox, held by what they are: a name in its folder leads nowhere else any more. */
export class SandboxSockets {
  readonly #ide: PinnedSocket;
  readonly #agent: PinnedSocket;

  private constructor(ide: PinnedSocket, agent: PinnedSocket) {
    this.#ide = ide;
    this.#agent = agent;
  }

  /** @throws Error when the workspace has no socket in one of the places. */
  static open(files: { ide: string; agent: string }): SandboxSockets {
    const ide = PinnedSocket.open(files.ide);
    try {
      return new SandboxSockets(ide, PinnedSocket.open(files.agent));
    } catch (error) {
      ide.close();
      throw error;
    }
  }

  /** The path at which the editor answers; good until {@link close}. */
  get idePath(): string {
    return this.#ide.path;
  }

  /** The path at which the agent answers; good until {@link close}. */
  get agentPath(): string {
    return this.#agent.path;
  }

  close(): void {
    this.#ide.close();
    this.#agent.close();
  }
}
