import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { endGroup } from '@slipway/processes';

const guardScript = fileURLToPath(new URL('./guard.sh', import.meta.url));

/**
 * Runs its arguments once it is told to, which is when the guard knows the group: of a
 * runner that is killed before that, nothing is left.
 */
const ONCE_TOLD = 'read -r told && exec "$@" </dev/null';

/** What a shell answers for a program that is not there. */
const NOT_FOUND = 127;

/** How long what a part left behind may take to end once the part has ended. */
const STRAGGLER_GRACE_MS = 1_000;

/** How long the last lines of a part may take from its end, where others write on. */
const LAST_LINES_MS = 200;

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

  /** Process id of the guard itself, undefined when it could not be started. */
  get guardPid(): number | undefined {
    return this.#guard.pid;
  }

  /** Asks the group to end; `onEnd` tells when it has. */
  stop(): void {
    void this.#endGroup(this.#options.graceMs);
  }

  /** Ends the group at once, unasked. */
  kill(): void {
    void this.#endGroup(0);
  }

  #startGuard(): ChildProcess {
    const { graceMs, onOutput } = this.#options;
    const guard = spawn(
      'sh',
      [guardScript, String(Math.ceil(graceMs / 1_000))],
      {
        // A Ctrl-C in the terminal is the runner's to answer, not the guard's.
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
    // The part alone is to hold the end that it writes to.
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

  /** Descriptor 3 of the guard. */
  #orders(guard: ChildProcess): Writable {
    return guard.stdio[3] as Writable;
  }

  /** What a guard guarded lives on without it, and is the runner's to end. */
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

  /** Lets the guard go; by the time its output has closed, the last line has been read. */
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
