import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** O_PATH, which is not among Node's constants: opens only a location in the file system, see open(2). */
// eslint-disable-next-line no-bitwise
const OPEN_PLACE = 0o10000000 | constants.O_NOFOLLOW;

/** A path that never exists: descriptors are numbers. */
const NOWHERE = '/proc/self/fd/closed';

/**
 * A Unix socket pinned by its inode instead of its path. The workspace can write to the socket's
 * folder, so it could replace the path with a link to another workspace's socket, which the
 * portal would follow. Linux only.
 */
class PinnedSocket {
  readonly #descriptor: number;
  #closed = false;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /**
   * The path to connect to. Read it for each connection: after {@link close} the descriptor may
   * belong to the socket of another workspace, and the path leads nowhere.
   */
  get path(): string {
    return this.#closed ? NOWHERE : `/proc/self/fd/${this.#descriptor}`;
  }

  /** @throws Error if there is no socket with exactly that path. */
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

/** The pinned sockets of a sandbox: replacing their paths has no effect. */
export class SandboxSockets {
  readonly #ide: PinnedSocket;
  readonly #agent: PinnedSocket;

  private constructor(ide: PinnedSocket, agent: PinnedSocket) {
    this.#ide = ide;
    this.#agent = agent;
  }

  /** @throws Error if one of the sockets is missing. */
  static open(files: { ide: string; agent: string }): SandboxSockets {
    const ide = PinnedSocket.open(files.ide);
    try {
      return new SandboxSockets(ide, PinnedSocket.open(files.agent));
    } catch (error) {
      ide.close();
      throw error;
    }
  }

  /** The editor's socket path; read it for each connection, as it changes with {@link close}. */
  get idePath(): string {
    return this.#ide.path;
  }

  /** The agent's socket path; read it for each connection, as it changes with {@link close}. */
  get agentPath(): string {
    return this.#agent.path;
  }

  close(): void {
    this.#ide.close();
    this.#agent.close();
  }
}
