import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { lowerPriority, sendSignal } from '@slipway/processes';
import { endsAtOnce, type Output } from '../commands.ts';
import { isVariable, shellScript } from '../shellScript.ts';

/** Time to read the remaining output of a program after it ends, if others may hold its pipes open. */
const DRAIN_MS = 250;

/** The priority of builds: the server answers first if the processors are busy. */
const NICENESS = 5;

/** Starts a program in its own session, with lower priority than the server and without the server's environment. */
export function startProgram(
  [program, ...args]: readonly string[],
  options: {
    cwd: string;
    environment: Readonly<Record<string, string>>;
    input?: 'ignore' | 'pipe';
  },
): ChildProcess {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.environment },
    detached: true,
    stdio: [options.input ?? 'ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) {
    lowerPriority(child.pid, NICENESS);
  }
  return child;
}

/**
 * Runs a program to its end. Its background processes keep running.
 *
 * @param start - starts it in its own session and process group.
 * @param options.onStart - called with the process id, which is also the id of session
 * and group.
 * @returns null for exit code 0, otherwise why it failed, as the end of a sentence.
 * @throws Interruption when the signal aborts; the group has been killed by then.
 */
export async function runProcess(
  start: () => ChildProcess,
  options: {
    signal: AbortSignal;
    killAfterMs: number;
    output: Output;
    /** True if the program's background processes end with it, so that its output ends. */
    endsProcesses: boolean;
    onStart(pid: number): void;
  },
): Promise<string | null> {
  const { signal, output, killAfterMs } = options;
  signal.throwIfAborted();
  const child = start();
  const ended = new Promise<string | null>(resolve => {
    child.once('error', error =>
      resolve(`${child.spawnfile} could not run: ${error.message}`),
    );
    // Not 'close': background processes may keep the pipes open.
    child.once('exit', (code, killer) =>
      resolve(
        code === 0 ? null : `it ended with ${killer ?? `exit code ${code}`}`,
      ),
    );
  });
  const drained = Promise.all([
    pump(child.stdout!, chunk => output(chunk, 'stdout')),
    pump(child.stderr!, chunk => output(chunk, 'stderr')),
  ]);
  if (child.pid === undefined) {
    return ended;
  }
  options.onStart(child.pid);
  const group = -child.pid;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    sendSignal(group, 'SIGTERM');
    timer = setTimeout(
      () => sendSignal(group, 'SIGKILL'),
      endsAtOnce(signal) ? 0 : killAfterMs,
    );
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) {
    end();
  }
  try {
    const failure = await ended;
    if (signal.aborted) {
      sendSignal(group, 'SIGKILL');
    }
    await Promise.race([
      drained,
      ...(options.endsProcesses
        ? []
        : [sleep(DRAIN_MS, undefined, { ref: false })]),
    ]);
    signal.throwIfAborted();
    return failure;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

async function pump(
  stream: Readable,
  output: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of stream) {
      await output(chunk as Buffer);
    }
  } catch {
    // The exit code reports how the program ended; a broken pipe adds nothing.
  }
}

const START_MS = 10_000;

/** Variables that shells set or check themselves; they cannot be passed through one. */
const OWN_VARIABLES =
  /^(?:_|PPID|OPTIND|LINENO|SECONDS|RANDOM|E?UID|GROUPS|SHELLOPTS|FUNCNAME|DIRSTACK|BASH.*)$/;

/**
 * A shell started in advance, e.g. in a sandbox whose creation takes long, that later replaces
 * itself with the given program. It ends with its server.
 */
export class WaitingProgram {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /**
   * Resolves once the shell waits.
   *
   * @param within - returns the command that runs a program, e.g. in a sandbox.
   * @throws Error if it ends before.
   */
  static async start(
    within: (argv: readonly string[]) => readonly string[],
    cwd: string,
  ): Promise<WaitingProgram> {
    const child = startProgram(within(['/bin/sh']), {
      cwd,
      environment: {},
      input: 'pipe',
    });
    // What it cannot do, its exit shows.
    child.stdin!.on('error', () => {});
    setReferenced(child, false);
    child.stdin!.write('echo\n');
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.once('exit', () => reject(new Error('The program ended')));
      child.stdout!.once('readable', resolve);
    }).finally(() => clearTimeout(late));
    // The empty line: what follows is the program's.
    child.stdout!.read();
    return new WaitingProgram(child);
  }

  get isWaiting(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** Checks whether the program can be given these variables. */
  accepts(environment: Readonly<Record<string, string>>): boolean {
    return Object.keys(environment).every(
      name => isVariable(name) && !OWN_VARIABLES.test(name),
    );
  }

  /** Replaces the shell with a program, without standard input. Its variables are in no command line. */
  exec(
    argv: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): ChildProcess {
    setReferenced(this.#child, true);
    this.#child.stdin!.end(shellScript(argv, { environment }));
    return this.#child;
  }

  end(): void {
    if (this.isWaiting) {
      sendSignal(-this.#child.pid!, 'SIGKILL');
    }
  }
}

/** Decides whether a program keeps this process alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const method = isReferenced ? 'ref' : 'unref';
  child[method]();
  for (const stream of child.stdio) {
    (stream as Socket | null)?.[method]();
  }
}
