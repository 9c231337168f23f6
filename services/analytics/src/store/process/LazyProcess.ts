import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InvalidRequestError, UnavailableError } from '@slipway/service-kit';
import type { AnswerMessage, ProcessMessage } from './serveProcess.ts';

/** A 400 error: a query takes longer or needs more memory than allowed. */
export class QueryTooHeavyError extends InvalidRequestError {
  constructor(cause?: unknown) {
    super(
      'The query takes too long: choose a shorter period or fewer columns',
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
const KEPT_ERROR_CHARACTERS = 2_000;
/**
 * Minimum share of a query's time that a working engine spends computing; below it the
 * engine is considered hung.
 */
const LEAST_BUSY = 0.05;
/** Milliseconds per clock tick in `/proc`: Linux counts 100 per second on every platform. */
const TICK_MS = 10;

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** One run of a script that calls `serveProcess`, from start to exit. */
export class EngineProcess<Q> {
  /** Resolves once the process accepts queries; rejects with a ProcessEndedError. */
  readonly ready: Promise<void>;
  /** Resolves once the process has exited; never rejects. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #startTimer: NodeJS.Timeout;
  #isUsable = true;
  #errors = '';
  #nextId = 0;

  /**
   * @param options.options - for the script, as JSON.
   * @throws ProcessEndedError if the system cannot start a process.
   */
  constructor({ script, options }: { script: URL; options: unknown }) {
    this.#child = forkScript(script, options);
    this.#child.stderr?.on('data', chunk => {
      this.#errors = (this.#errors + String(chunk)).slice(
        -KEPT_ERROR_CHARACTERS,
      );
    });
    this.#startTimer = setTimeout(() => this.kill(), START_TIMEOUT_MS);
    const ended = new Promise<ProcessEndedError>(resolve => {
      this.#child.once('exit', (code, signal) =>
        resolve(this.#endedError(`ended with ${signal ?? code}`)),
      );
      // A process that failed to start, e.g. because of too many open files, emits no `exit`.
      this.#child.on('error', error =>
        resolve(this.#endedError(`did not start: ${error.message}`)),
      );
    });
    this.ready = new Promise((resolve, reject) => {
      void ended.then(reject);
      this.#child.on('message', (message: ProcessMessage) => {
        if ('ready' in message) {
          clearTimeout(this.#startTimer);
          resolve();
        } else {
          this.#receive(message);
        }
      });
    });
    // Callers of ask() receive the rejection; without callers it must not count as unhandled.
    this.ready.catch(() => undefined);
    this.gone = ended.then(error => this.#end(error));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False once the process has exited or is about to exit. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * Sends a query once the process is ready.
   * @param timeoutMs - after which the process is killed, since engines cannot be
   *   interrupted.
   * @throws ProcessEndedError if the process dies.
   * @throws QueryTooHeavyError if the engine computes for too long, or reports that the
   *   query is too heavy.
   * @throws UnavailableError if the engine hangs: it has done almost no work before the
   *   timeout.
   */
  ask(request: Q, timeoutMs: number): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const busyBefore = this.#busyMs();
      const timer = setTimeout(() => {
        const hangs = this.#busyMs() - busyBefore < LEAST_BUSY * timeoutMs;
        this.#settle(id, each =>
          each.reject(
            hangs
              ? new UnavailableError('The event store is not responding')
              : new QueryTooHeavyError(),
          ),
        );
        this.kill();
      }, timeoutMs);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#child.send({ id, request }, error => {
        if (error) {
          // A killed process can no longer be reached, even before its exit is reported.
          this.#isUsable = false;
          this.#settle(id, each =>
            each.reject(new ProcessEndedError(error.message)),
          );
        }
      });
    });
  }

  kill(): void {
    this.#isUsable = false;
    this.#child.kill('SIGKILL');
  }

  /** Lets the process close its files and exit. */
  letGo(): void {
    this.#isUsable = false;
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

  #end(error: ProcessEndedError): void {
    clearTimeout(this.#startTimer);
    this.#isUsable = false;
    for (const id of [...this.#waiting.keys()]) {
      this.#settle(id, each => each.reject(error));
    }
  }

  #endedError(how: string): ProcessEndedError {
    return new ProcessEndedError(`The engine ${how}: ${this.#errors.trim()}`);
  }

  #receive(message: AnswerMessage): void {
    this.#settle(message.id, ({ resolve, reject }) => {
      if (!('error' in message)) {
        resolve(message.answer);
      } else if (message.error.tooHeavy) {
        reject(new QueryTooHeavyError(message.error.message));
      } else {
        reject(new Error(message.error.message));
      }
    });
  }

  #settle(id: number, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    if (waiting) {
      clearTimeout(waiting.timer);
      this.#waiting.delete(id);
      settle(waiting);
    }
  }
}

function forkScript(script: URL, options: unknown): ChildProcess {
  try {
    return fork(fileURLToPath(script), [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
  } catch (error) {
    throw new ProcessEndedError('The engine cannot be started', {
      cause: error,
    });
  }
}

/** Milliseconds that a process has to close its files before it is killed. */
const END_TIMEOUT_MS = 5_000;

/**
 * Runs a child process that starts on the first query and exits when idle: engines need
 * memory, and may crash on a query without affecting the service. The next query starts it
 * again.
 */
export class LazyProcess<Q> {
  readonly #program: { script: URL; options: unknown };
  readonly #idleMs: number;
  #running: EngineProcess<Q> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asking = 0;
  #closed = false;

  /**
   * @param options.script - calls `serveProcess`.
   * @param options.options - for the script, as JSON.
   * @param options.idleMs - idle time after which the process exits.
   */
  constructor(options: { script: URL; options: unknown; idleMs: number }) {
    const { idleMs, ...program } = options;
    this.#program = program;
    this.#idleMs = idleMs;
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
   * @throws UnavailableError if the engine hangs.
   */
  async ask(request: Q, timeoutMs: number): Promise<unknown> {
    if (this.#closed) {
      throw new ProcessEndedError('The engine is closed');
    }
    clearTimeout(this.#idle);
    if (!this.#running?.isUsable) {
      this.#running = new EngineProcess<Q>(this.#program);
    }
    const running = this.#running;
    this.#asking += 1;
    try {
      await running.ready;
      return await running.ask(request, timeoutMs);
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) {
        this.#endWhenIdle();
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(), this.#idleMs);
    this.#idle.unref();
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
