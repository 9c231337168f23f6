import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InvalidRequestError, UnavailableError } from '@slipway/service-kit';
import type { AnswerMessage, ProcessMessage } from './serveProcess.ts';

/** A 400 error: a query takes longer, needs more memory or is larger than allowed. */
export class QueryTooHeavyError extends InvalidRequestError {
  constructor(cause?: unknown) {
    super(
      'The query takes too long: choose a shorter period, or fewer columns or conditions',
      {
        field: 'query',
        constraint: 'cost',
        cause,
      },
    );
  }
}

/** The engine's process died or failed to start. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}

const START_TIMEOUT_MS = 60_000;
/** Milliseconds that a process has to close its files before it is killed. */
const END_TIMEOUT_MS = 5_000;
const KEPT_ERROR_CHARACTERS = 2_000;
/**
 * Minimum share of a query's time that a working engine spends computing; below it the
 * engine is considered hung.
 */
const LEAST_BUSY = 0.05;
/** Milliseconds per clock tick in `/proc`: Linux counts 100 per second on every platform. */
const TICK_MS = 10;

/** A script that calls `serveProcess`, and the options that it gets as JSON. */
interface Program {
  script: URL;
  options: unknown;
}

/** One run of a program, from start to exit. */
class EngineProcess<Q> {
  /** Resolves once the process accepts queries; rejects with a ProcessEndedError. */
  readonly ready: Promise<void>;
  /** Resolves once the process has exited; never rejects. */
  readonly gone: Promise<void>;
  /** False once the process has exited or is about to exit. */
  isUsable = true;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: unknown) => void; reject: (error: Error) => void }
  >();
  #nextId = 0;

  /** @throws ProcessEndedError if the system cannot start a process. */
  constructor(program: Program) {
    const child = forkScript(program);
    this.#child = child;
    let errors = '';
    child.stderr?.on('data', chunk => {
      errors = (errors + String(chunk)).slice(-KEPT_ERROR_CHARACTERS);
    });
    const startTimer = setTimeout(() => this.kill(), START_TIMEOUT_MS);
    const ended = new Promise<ProcessEndedError>(resolve => {
      const end = (how: string) =>
        resolve(new ProcessEndedError(`The engine ${how}: ${errors.trim()}`));
      child.once('exit', (code, signal) => end(`ended with ${signal ?? code}`));
      // A process that failed to start, e.g. because of too many open files, emits no `exit`.
      child.on('error', error => end(`did not start: ${error.message}`));
    });
    this.ready = new Promise((resolve, reject) => {
      void ended.then(reject);
      child.on('message', (message: ProcessMessage) => {
        if ('ready' in message) {
          clearTimeout(startTimer);
          resolve();
        } else {
          this.#receive(message);
        }
      });
    });
    // Callers of ask() receive the rejection; without callers it must not count as unhandled.
    this.ready.catch(() => undefined);
    this.gone = ended.then(error => {
      clearTimeout(startTimer);
      this.isUsable = false;
      this.#waiting.forEach(({ reject }) => reject(error));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a query to a process that is ready; see {@link LazyProcess.ask}. */
  async ask(request: Q, timeoutMs: number): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    const busyBefore = this.#busyMs();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        timer = setTimeout(() => {
          const hangs = this.#busyMs() - busyBefore < LEAST_BUSY * timeoutMs;
          reject(
            hangs
              ? new UnavailableError('The event store is not responding')
              : new QueryTooHeavyError(),
          );
          this.kill();
        }, timeoutMs);
        this.#child.send({ id, request }, error => {
          if (error) {
            // A killed process can no longer be reached, even before its exit is reported.
            this.isUsable = false;
            reject(new ProcessEndedError(error.message));
          }
        });
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  #receive(message: AnswerMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (!('error' in message)) {
      waiting?.resolve(message.answer);
    } else if (message.error.tooHeavy) {
      waiting?.reject(new QueryTooHeavyError(message.error.message));
    } else {
      waiting?.reject(new Error(message.error.message));
    }
  }

  kill(): void {
    this.isUsable = false;
    this.#child.kill('SIGKILL');
  }

  /** Lets the process close its files and exit. */
  letGo(): void {
    this.isUsable = false;
    if (this.#child.connected) {
      this.#child.disconnect();
    }
  }

  /**
   * Returns the CPU time of the process so far, in milliseconds; Infinity if the system
   * does not report it, so that an engine that may be working is never considered hung.
   */
  #busyMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
      // The program's name is in brackets, and may contain any character.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    } catch {
      return Infinity;
    }
  }
}

function forkScript({ script, options }: Program): ChildProcess {
  try {
    return fork(fileURLToPath(script), [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
  } catch (cause) {
    throw new ProcessEndedError('The engine cannot be started', { cause });
  }
}

/**
 * Runs a child process that starts on the first query and exits when idle: engines need
 * memory, and may crash on a query without affecting the service. The next query starts it
 * again.
 */
export class LazyProcess<Q> {
  readonly #options: Program & { idleMs: number };
  #running: EngineProcess<Q> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asking = 0;
  #closed = false;

  /** @param options.idleMs - idle time after which the process exits. */
  constructor(options: Program & { idleMs: number }) {
    this.#options = options;
  }

  /** The process id; undefined while the process is not running. */
  get pid(): number | undefined {
    return this.#running?.isUsable ? this.#running.pid : undefined;
  }

  /**
   * Sends a query to the process.
   * @param timeoutMs - after which the process is killed, since engines cannot be
   *   interrupted.
   * @throws ProcessEndedError if the process dies or does not start.
   * @throws QueryTooHeavyError if the engine computes for too long, or reports that the
   *   query is too heavy.
   * @throws UnavailableError if the engine hangs: it has done almost no work before the
   *   timeout.
   */
  async ask(request: Q, timeoutMs: number): Promise<unknown> {
    if (this.#closed) {
      throw new ProcessEndedError('The engine is closed');
    }
    clearTimeout(this.#idle);
    if (!this.#running?.isUsable) {
      this.#running = new EngineProcess<Q>(this.#options);
    }
    const running = this.#running;
    this.#asking += 1;
    try {
      await running.ready;
      return await running.ask(request, timeoutMs);
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) {
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs);
        this.#idle.unref();
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    if (running) {
      const patience = setTimeout(() => running.kill(), END_TIMEOUT_MS);
      running.letGo();
      await running.gone;
      clearTimeout(patience);
    }
  }
}
