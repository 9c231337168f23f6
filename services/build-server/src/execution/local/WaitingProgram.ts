import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { sendSignal } from '@slipway/processes';
import { isVariable, shellScript } from '../shellScript.ts';
import { startProgram } from './processes.ts';

/** Reads the command from its standard input. */
const SHELL = ['/bin/sh'];

const START_MS = 10_000;

/** Variables that shells set or check themselves; they cannot be passed through one. */
const OWN_VARIABLES =
  /^(?:_|PPID|OPTIND|LINENO|SECONDS|RANDOM|E?UID|GROUPS|SHELLOPTS|FUNCNAME|DIRSTACK|BASH.*)$/;

/**
 * A shell that waits for the program to become, e.g. in a sandbox whose creation takes long. It
 * ends with its server.
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
    const child = startProgram(within(SHELL), {
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

  /** Becomes a program, without standard input. Its variables are in no command line. */
  become(
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
