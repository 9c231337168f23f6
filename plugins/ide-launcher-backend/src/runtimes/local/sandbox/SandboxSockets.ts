import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { PortTarget } from '../../WorkspaceRuntime';
import {
  LineSplitter,
  formatSeconds,
  WorkspaceProgram,
} from '../process/programs';

/** O_PATH, which is not among Node's constants: opens only a location in the file system, see open(2). */
// eslint-disable-next-line no-bitwise
const OPEN_PLACE = 0o10000000 | constants.O_NOFOLLOW;

/** A path that never exists, because descriptors are numbers. */
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

  /** Pins the socket at a path. @throws Error if there is none, or the path is a link. */
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

/** Maximum length of a line from the agent, which contains one chunk of output in base64. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Timeout for opening a port. A port in a sandbox accepts or refuses a connection immediately;
 * an agent that its workspace has suspended does neither.
 */
const OPEN_TIMEOUT_MS = 10_000;

/** The agent's final message about a command. Untrusted, because it comes from inside the sandbox. */
interface AgentMessage {
  output?: unknown;
  error?: unknown;
  code?: unknown;
  signal?: unknown;
  connected?: unknown;
}

/** Talks to the agent in a workspace's sandbox. Its responses are untrusted and limited in size. */
export class AgentClient {
  readonly #socketPath: () => string;
  readonly #openTimeoutMs: number;

  /** @param socketPath - returns the agent's pinned socket; called for each connection. */
  constructor(
    socketPath: () => string,
    { openTimeoutMs = OPEN_TIMEOUT_MS }: { openTimeoutMs?: number } = {},
  ) {
    this.#socketPath = socketPath;
    this.#openTimeoutMs = openTimeoutMs;
  }

  /**
   * Opens a connection to a port in the sandbox's own network.
   *
   * @returns null if nothing is listening there, or the agent does not respond in time.
   */
  openPort(port: number): Promise<Socket | null> {
    return new Promise(resolve => {
      const socket = this.#send({ port });
      let received = Buffer.alloc(0);
      const timer = setTimeout(() => socket.destroy(), this.#openTimeoutMs);
      socket.once('error', () => resolve(null));
      socket.once('close', () => {
        clearTimeout(timer);
        resolve(null);
      });
      // Not 'data': a socket that was paused does not resume automatically for its next reader,
      // which an HTTP client expects.
      socket.on('readable', function read() {
        const chunk: Buffer | null = socket.read();
        received = Buffer.concat([received, chunk ?? Buffer.alloc(0)]);
        const end = received.indexOf('\n');
        if (end < 0) {
          if (received.length > MAX_ANSWER_BYTES) {
            socket.destroy();
          }
          return;
        }
        clearTimeout(timer);
        socket.off('readable', read);
        const rest = received.subarray(end + 1);
        if (rest.length > 0) {
          socket.unshift(rest);
        }
        resolve(socket);
      });
    });
  }

  /**
   * Finds a port in the sandbox's own network, where only the workspace itself can listen.
   *
   * @returns null if nothing is listening there.
   */
  async port(port: number): Promise<PortTarget | null> {
    const open = async () => {
      const socket = await this.openPort(port);
      if (!socket) {
        throw new Error('Nothing is listening there any more');
      }
      return socket;
    };
    return (await this.listens(port))
      ? { host: '127.0.0.1', port, connect: open }
      : null;
  }

  /** Returns whether something is listening on a port of the sandbox. */
  async listens(port: number): Promise<boolean> {
    const socket = await this.openPort(port);
    socket?.destroy();
    return socket !== null;
  }

  /** Runs a program to completion like `runInWorkspace`, in the sandbox of the editor. */
  async run(program: WorkspaceProgram): Promise<string | null> {
    const { signal, timeoutMs } = program;
    signal.throwIfAborted();
    const { command, cwd, env } = program;
    const socket = this.#send({ run: command, cwd, env });
    const lines = new LineSplitter(program.onLine);
    let stopped: string | null = null;
    const cancel = () => socket.destroy();
    signal.addEventListener('abort', cancel, { once: true });
    const timer = setTimeout(() => {
      stopped = `it timed out after ${formatSeconds(timeoutMs)}`;
      socket.destroy();
    }, timeoutMs);
    try {
      const failure = await readOutcome(socket, command[0], lines);
      signal.throwIfAborted();
      return stopped ?? failure;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      socket.destroy();
    }
  }

  #send(request: object): Socket {
    const socket = connect(this.#socketPath());
    socket.write(`${JSON.stringify(request)}\n`);
    return socket;
  }
}

function readOutcome(
  socket: Socket,
  command: string,
  lines: LineSplitter,
): Promise<string | null> {
  return new Promise(resolve => {
    let received = '';
    const end = (outcome: string | null) => {
      lines.end();
      resolve(outcome);
    };
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('close', () => end('the workspace did not report a result'));
    socket.on('data', (chunk: string) => {
      const parts = (received + chunk).split('\n');
      received = parts.pop() ?? '';
      if (received.length > MAX_ANSWER_BYTES) {
        socket.destroy();
      }
      for (const part of parts) {
        const message = parse(part);
        if (typeof message.output === 'string') {
          lines.write(Buffer.from(message.output, 'base64'));
        } else if (typeof message.error === 'string') {
          end(`${command} could not run: ${message.error.slice(0, 200)}`);
        } else {
          end(describeEnd(message));
        }
      }
    });
  });
}

function describeEnd({ code, signal }: AgentMessage): string | null {
  if (code === 0) {
    return null;
  }
  return typeof signal === 'string'
    ? `it ended with ${signal.slice(0, 20)}`
    : `it ended with exit code ${Number(code)}`;
}

function parse(line: string): AgentMessage {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The sockets of a sandbox's editor and agent, pinned so that replacing their paths has no effect. */
export class SandboxSockets {
  readonly #ide: PinnedSocket;
  readonly #agent: PinnedSocket;
  /** The client of the agent, which reads the path of the pinned socket for each connection. */
  readonly agent: AgentClient;

  private constructor(ide: PinnedSocket, agent: PinnedSocket) {
    this.#ide = ide;
    this.#agent = agent;
    this.agent = new AgentClient(() => this.agentPath);
  }

  /** Pins both sockets. @throws Error if one of them is missing. */
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
