import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, rename, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { sendSignal } from '@slipway/processes';
import type { BuildDirectory, Isolation } from '../../isolation/Isolation.ts';
import { markComplete, removeFolder, removeFolders } from '../buildFolder.ts';
import { isVariable, shellScript } from '../commands.ts';
import { startProgram } from './processes.ts';

/** Prefix of the folders that wait for a build. */
const PREFIX = 'next-';
/** Numbers above the ids of builds. */
const FIRST_NUMBER = 2 ** 40;
const NUMBERS = 2 ** 40;
/** Lets the build that took the last place start before the next place is prepared. */
const PAUSE_MS = 50;
const RENEW_MS = 3_600_000;
/** Folders older than this were left by a killed process: running processes renew theirs. */
const ABANDONED_MS = 24 * RENEW_MS;

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
   * Starts a shell; resolves once it waits for a program.
   *
   * @param within - returns the command that runs a program, e.g. in a sandbox.
   * @throws Error if the shell ends before that.
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
    // The exit of the shell reports failed writes.
    child.stdin!.on('error', () => {});
    setReferenced(child, false);
    child.stdin!.write('echo\n');
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.once('exit', () => reject(new Error('The program ended')));
      child.stdout!.once('readable', resolve);
    }).finally(() => clearTimeout(late));
    // Consumes the empty line: what follows is the program's output.
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

/** Sets whether a child process keeps this process alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const method = isReferenced ? 'ref' : 'unref';
  child[method]();
  for (const stream of child.stdio) {
    (stream as Socket | null)?.[method]();
  }
}

/** A place without a build. */
interface NextPlace {
  build: BuildDirectory;
  program: WaitingProgram;
  /** Identifies the files of the machine that its programs see. */
  view: string;
  preparedAt: number;
}

/** A prepared place that a build takes over. */
export interface TakenPlace {
  /** The number by which the sandbox knows the build, instead of its id. */
  number: number;
  /** Runs the first command of the build. */
  program: WaitingProgram;
}

/**
 * Keeps one sandbox ready for the next build, with folders and a program that waits for its
 * command, because creating a sandbox takes most of the time in which a build starts. The sandbox
 * knows nothing about the build. See docs/adr/0053-sandbox-before-the-build.md.
 */
export class Standby {
  readonly #directory: string;
  readonly #isolation: Isolation;
  readonly #untilSettled: () => Promise<void>;
  #next: Promise<NextPlace | undefined> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param options.directory - absolute; contains the folders of builds.
   * @param options.untilSettled - waits until the next place may be prepared after one was taken.
   */
  constructor(options: {
    directory: string;
    isolation: Isolation;
    untilSettled?(): Promise<void>;
  }) {
    this.#directory = options.directory;
    this.#isolation = options.isolation;
    this.#untilSettled = async () => options.untilSettled?.();
  }

  /** Prepares the next place, unless there is one. Never fails: without it, builds start later. */
  async prepare(): Promise<void> {
    if (!this.#isClosed) {
      this.#next ??= this.#prepare().catch(() => undefined);
      await this.#next;
    }
  }

  /**
   * Gives the prepared place to a build.
   *
   * @param directory - becomes the folder of the build; what it contains is removed.
   * @returns undefined if there is none, or the machine has changed since.
   */
  async take(directory: string): Promise<TakenPlace | undefined> {
    const taken = this.#next;
    this.#next = undefined;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#untilSettled().then(() => this.prepare());
    }, PAUSE_MS);
    this.#timer.unref();
    const next = await taken;
    if (!next) {
      return undefined;
    }
    if (!next.program.isWaiting || next.view !== this.#isolation.view()) {
      await this.#discard(next);
      return undefined;
    }
    try {
      await replaceFolder(directory, next.build.directory);
    } catch (error) {
      await this.#discard(next);
      throw error;
    }
    return { number: next.build.buildId, program: next.program };
  }

  /**
   * Renews the place, and removes what killed processes left behind. To be called regularly.
   *
   * @param names - what the directory contains.
   */
  async tidy(names: readonly string[]): Promise<void> {
    const next = await this.#next;
    if (next && Date.now() - next.preparedAt > RENEW_MS) {
      await this.#drop();
      void this.prepare();
    }
    const abandoned: string[] = [];
    for (const name of names.filter(one => one.startsWith(PREFIX))) {
      const folder = path.join(this.#directory, name);
      const found = await stat(folder).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > ABANDONED_MS) {
        abandoned.push(folder);
      }
    }
    await removeFolders(abandoned);
  }

  /** Ends the waiting program. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#drop();
  }

  async #drop(): Promise<void> {
    const dropped = this.#next;
    this.#next = undefined;
    const next = await dropped;
    await (next && this.#discard(next));
  }

  async #prepare(): Promise<NextPlace> {
    const buildId = FIRST_NUMBER + randomInt(NUMBERS);
    const directory = path.join(this.#directory, `${PREFIX}${buildId}`);
    const build = { buildId, directory };
    try {
      await mkdir(directory, { recursive: true });
      await this.#isolation.prepare(build);
      await markComplete(directory, buildId);
      const view = this.#isolation.view();
      const program = await WaitingProgram.start(
        argv => this.#isolation.command(build, argv)!,
        directory,
      );
      return { build, program, view, preparedAt: Date.now() };
    } catch (error) {
      await this.#isolation.release(build);
      await removeFolder(directory);
      throw error;
    }
  }

  async #discard({ build, program }: NextPlace): Promise<void> {
    program.end();
    await this.#isolation.release(build);
    await removeFolder(build.directory);
  }
}

async function replaceFolder(folder: string, by: string): Promise<void> {
  try {
    await rename(by, folder);
  } catch {
    await removeFolder(folder);
    await rename(by, folder);
  }
}
