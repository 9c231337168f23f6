import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { endGroup } from '@slipway/processes';

const guardScript = fileURLToPath(new URL('./guard.sh', import.meta.url));

/**
 * Shell code that waits for a line on standard input before it runs its arguments. By then the
 * guard knows the process group, so nothing is left behind if the runner is killed earlier.
 */
const ONCE_TOLD = 'read -r told && exec "$@" </dev/null';

/** Exit code of a shell if the program is not found. */
const NOT_FOUND = 127;

/** Time for remaining processes of a part to end after its main process, in milliseconds. */
const STRAGGLER_GRACE_MS = 1_000;

/**
 * Time to wait for the last lines of a part after its end, if other processes keep its output
 * open, in milliseconds.
 */
const LAST_LINES_MS = 200;

/** The end of a guarded process. */
export interface ProcessEnd {
  /** Exit code, null if a signal ended it. */
  code: number | null;
  signal: string | null;
  /** Set if the process could not be started, or lost its guard. */
  error?: string;
}

/** Options of {@link GuardedProcess}. */
export interface GuardedProcessOptions {
  command: readonly [string, ...string[]];
  /** Absolute path. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds between SIGTERM and SIGKILL. */
  graceMs: number;
  /** Raw output of both streams, in chunks as they arrive. */
  onOutput: (chunk: string) => void;
  /** Called once with the process id, which is also that of its group. */
  onSpawn: (pid: number) => void;
  /** Called once, when all processes of the group have ended. */
  onEnd: (end: ProcessEnd) => void;
}

/** Runs a process in its own group, which is guaranteed to end with the runner. */
export class GuardedProcess {
  readonly #options: GuardedProcessOptions;
  readonly #guard: ChildProcess;
  readonly #part: ChildProcess;
  #end: ProcessEnd | undefined;
  #over = false;

  constructor(options: GuardedProcessOptions) {
    this.#options = options;
    this.#guard = this.#startGuard();
    this.#part = this.#startPart();
    if (this.#part.pid !== undefined) {
      options.onSpawn(this.#part.pid);
    }
  }

  /** Returns the process id of the guard, undefined if it could not be started. */
  get guardPid(): number | undefined {
    return this.#guard.pid;
  }

  /** Stops the group gracefully; `onEnd` is called once it has ended. */
  stop(): void {
    void this.#endGroup(this.#options.graceMs);
  }

  /** Kills the group immediately. */
  kill(): void {
    void this.#endGroup(0);
  }

  #startGuard(): ChildProcess {
    const { graceMs, onOutput } = this.#options;
    const guard = spawn(
      'sh',
      [guardScript, String(Math.ceil(graceMs / 1_000))],
      {
        // A Ctrl-C in the terminal is handled by the runner, not by the guard.
        detached: true,
        stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
      },
    );
    guard.stdout?.setEncoding('utf8').on('data', onOutput);
    this.#orders(guard).on('error', () => {});
    guard.once('error', error => this.#lost(error.message));
    guard.once('exit', () => this.#lost('its guard was killed'));
    return guard;
  }

  #startPart(): ChildProcess {
    const { command, cwd, env } = this.#options;
    const [program, ...args] = command;
    const output = this.#guard.stdin ?? 'ignore';
    const part = spawn(
      'sh',
      [
        '-c',
        ONCE_TOLD,
        'sh',
        program === 'node' ? process.execPath : program,
        ...args,
      ],
      { cwd, env, detached: true, stdio: ['pipe', output, output] },
    );
    // Only the part must keep the write end of its output open.
    this.#guard.stdin?.destroy();
    part.stdin?.on('error', () => {});
    part.once('error', error => {
      this.#end = { code: null, signal: null, error: error.message };
      void this.#finish();
    });
    part.once('exit', (code, signal) => {
      this.#end ??=
        code === NOT_FOUND
          ? { code, signal, error: `spawn ${program} ENOENT` }
          : { code, signal };
      void this.#finish();
    });
    if (part.pid !== undefined) {
      this.#orders(this.#guard).write(`${part.pid}\n`);
      part.stdin?.end('told\n');
    }
    return part;
  }

  /** Returns descriptor 3 of the guard, which receives its orders. */
  #orders(guard: ChildProcess): Writable {
    return guard.stdio[3] as Writable;
  }

  /** Handles the loss of the guard: the part survives, so the runner has to stop it. */
  #lost(error: string): void {
    if (!this.#over) {
      this.#end ??= { code: null, signal: null, error };
      this.stop();
    }
  }

  async #finish(): Promise<void> {
    await this.#endGroup(STRAGGLER_GRACE_MS);
    if (this.#over) {
      return;
    }
    this.#over = true;
    await this.#lastLines();
    this.#options.onEnd(
      this.#end ?? { code: null, signal: null, error: 'it has ended' },
    );
  }

  /** Dismisses the guard; once its output is closed, the last line has been read. */
  async #lastLines(): Promise<void> {
    const { stdout } = this.#guard;
    if (stdout && !stdout.closed) {
      await new Promise<void>(resolve => {
        stdout.once('close', resolve);
        setTimeout(resolve, LAST_LINES_MS).unref();
        this.#orders(this.#guard).end('over\n');
      });
      stdout.destroy();
    }
  }

  async #endGroup(graceMs: number): Promise<void> {
    if (this.#part.pid !== undefined) {
      await endGroup(this.#part.pid, { graceMs });
    }
  }
}
