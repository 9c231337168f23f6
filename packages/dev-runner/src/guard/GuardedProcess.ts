import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endGroup } from '../processes/endGroup.ts';

const guardScript = fileURLToPath(new URL('./guard.mjs', import.meta.url));

/** How a guarded process ended. */
export interface ProcessEnd {
  /** Exit code, null when a signal ended it. */
  code: number | null;
  signal: string | null;
  /** Set when the process could not be started, or lost its guard. */
  error?: string;
}

export interface GuardedProcessOptions {
  command: readonly [string, ...string[]];
  /** Absolute path. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds between SIGTERM and SIGKILL. */
  graceMs: number;
  /** Raw output of both streams, in the pieces in which it arrives. */
  onOutput: (chunk: string) => void;
  /** Called once with the process's id, which is also its group's. */
  onSpawn: (pid: number) => void;
  /** Called once, when the whole group has ended. */
  onEnd: (end: ProcessEnd) => void;
}

/** A process in a group of its own, which ends with the runner whatever happens. */
export class GuardedProcess {
  readonly #guard: ChildProcess;
  readonly #options: GuardedProcessOptions;
  #groupId: number | undefined;
  #end: ProcessEnd | undefined;
  #finished = false;

  constructor(options: GuardedProcessOptions) {
    this.#options = options;
    const [program, ...args] = options.command;
    const command = program === 'node' ? process.execPath : program;
    this.#guard = spawn(
      process.execPath,
      [guardScript, String(options.graceMs), command, ...args],
      {
        cwd: options.cwd,
        env: options.env,
        // A Ctrl-C in the terminal is the runner's to answer, not the guard's.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    this.#guard.stdout?.setEncoding('utf8').on('data', options.onOutput);
    this.#guard.stderr?.setEncoding('utf8').on('data', options.onOutput);
    this.#guard.on('message', message => this.#receive(message));
    this.#guard.once('error', error => {
      this.#end ??= { code: null, signal: null, error: error.message };
      void this.#finish();
    });
    // 'close' and not 'exit': by then the last line has been read.
    this.#guard.once('close', () => void this.#finish());
  }

  /** Process id of the guard itself, undefined when it could not be started. */
  get guardPid(): number | undefined {
    return this.#guard.pid;
  }

  /** Asks the group to end; `onEnd` tells when it has. */
  stop(): void {
    if (this.#guard.connected) {
      this.#guard.send('stop', () => {});
    }
  }

  /** Ends the group at once, unasked. */
  kill(): void {
    if (this.#groupId !== undefined) {
      void endGroup(this.#groupId, { graceMs: 0 });
    }
  }

  #receive(message: unknown): void {
    if (typeof message !== 'object' || message === null) {
      return;
    }
    if ('spawned' in message && typeof message.spawned === 'number') {
      this.#groupId = message.spawned;
      this.#options.onSpawn(message.spawned);
    }
    if ('exited' in message) {
      this.#end = message.exited as ProcessEnd;
    }
  }

  async #finish(): Promise<void> {
    if (this.#finished) {
      return;
    }
    this.#finished = true;
    if (!this.#end && this.#groupId !== undefined) {
      // The guard was killed: what it guarded lives on, and is ours to end.
      await endGroup(this.#groupId, { graceMs: this.#options.graceMs });
    }
    this.#options.onEnd(
      this.#end ?? { code: null, signal: null, error: 'its guard was killed' },
    );
  }
}
