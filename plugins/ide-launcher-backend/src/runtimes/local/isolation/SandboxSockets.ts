import { PinnedSocket } from './PinnedSocket';

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

  /** Where the editor answers; good until {@link close}. */
  get idePath(): string {
    return this.#ide.path;
  }

  /** Where the agent answers; good until {@link close}. */
  get agentPath(): string {
    return this.#agent.path;
  }

  close(): void {
    this.#ide.close();
    this.#agent.close();
  }
}
