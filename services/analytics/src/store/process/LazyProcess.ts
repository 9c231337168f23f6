import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { QueryTooHeavyError } from '../QueryTooHeavyError.ts';
import type { ProcessMessage } from './protocol.ts';

const START_TIMEOUT_MS = 60_000;
const KEPT_ERROR_CHARACTERS = 2_000;

/** The process died, or did not start. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

interface Running {
  child: ChildProcess;
  ready: Promise<void>;
  waiting: Map<number, Waiting>;
}

/**
 * A process of our own that is started by the first question and ends when none has
 * come for a while: engines take memory, and may die of a query without taking the
 * service along. The next question starts it anew.
 */
export class LazyProcess<Q> {
  readonly #script: URL;
  readonly #options: unknown;
  readonly #idleMs: number;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 0;
  #closed = false;

  /**
   * @param options.script - calls `serveProcess`.
   * @param options.options - for the script, as JSON.
   * @param options.idleMs - after which the process ends.
   */
  constructor(options: { script: URL; options: unknown; idleMs: number }) {
    this.#script = options.script;
    this.#options = options.options;
    this.#idleMs = options.idleMs;
  }

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /**
   * Asks the process.
   *
   * @param timeoutMs - after which the process is killed: engines cannot be interrupted.
   * @throws ProcessEndedError when it dies, or does not start.
   * @throws QueryTooHeavyError when it takes too long, or the engine says so.
   */
  async ask(question: Q, timeoutMs: number): Promise<unknown> {
    if (this.#closed) {
      throw new ProcessEndedError('The engine is closed');
    }
    clearTimeout(this.#idle);
    const running = (this.#running ??= this.#start());
    try {
      await running.ready;
      return await this.#send(running, question, timeoutMs);
    } catch (error) {
      // A process that was killed is unreachable before it is known to have ended.
      if (error instanceof ProcessEndedError && running === this.#running) {
        this.#running = undefined;
      }
      throw error;
    } finally {
      if (running === this.#running && running.waiting.size === 0) {
        this.#endWhenIdle();
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #send(running: Running, question: Q, timeoutMs: number): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        running.waiting.delete(id);
        reject(new QueryTooHeavyError());
        running.child.kill('SIGKILL');
      }, timeoutMs);
      running.waiting.set(id, { resolve, reject, timer });
      running.child.send({ id, question }, error => {
        if (error) {
          this.#settle(running.waiting, id, each =>
            each.reject(new ProcessEndedError(error.message)),
          );
        }
      });
    });
  }

  #start(): Running {
    const child = fork(
      fileURLToPath(this.#script),
      [JSON.stringify(this.#options)],
      { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] },
    );
    const waiting = new Map<number, Waiting>();
    let errors = '';
    child.stderr?.on('data', chunk => {
      errors = (errors + String(chunk)).slice(-KEPT_ERROR_CHARACTERS);
    });
    const ready = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
      child.once('exit', (code, signal) => {
        clearTimeout(late);
        reject(
          new ProcessEndedError(
            `The engine ended with ${signal ?? code}: ${errors.trim()}`,
          ),
        );
      });
      child.once('error', reject);
      child.on('message', (message: ProcessMessage) => {
        if ('ready' in message) {
          clearTimeout(late);
          resolve();
        } else {
          this.#receive(waiting, message);
        }
      });
    });
    // Whoever asks hears of it; nobody may be asking.
    ready.catch(() => undefined);
    const running: Running = { child, ready, waiting };
    child.once('exit', (code, signal) => {
      if (this.#running === running) {
        this.#running = undefined;
      }
      for (const id of [...waiting.keys()]) {
        this.#settle(waiting, id, each =>
          each.reject(
            new ProcessEndedError(`The engine ended with ${signal ?? code}`),
          ),
        );
      }
    });
    return running;
  }

  #receive(
    all: Running['waiting'],
    message: Exclude<ProcessMessage, { ready: true }>,
  ): void {
    this.#settle(all, message.id, ({ resolve, reject }) => {
      if (!('error' in message)) {
        resolve(message.answer);
      } else if (message.error.tooHeavy) {
        reject(new QueryTooHeavyError(message.error.message));
      } else {
        reject(new Error(message.error.message));
      }
    });
  }

  #settle(
    all: Running['waiting'],
    id: number,
    settle: (waiting: Waiting) => void,
  ): void {
    const waiting = all.get(id);
    if (waiting) {
      clearTimeout(waiting.timer);
      all.delete(id);
      settle(waiting);
    }
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
    if (!running || running.child.exitCode !== null) {
      return;
    }
    const ended = new Promise(resolve => {
      running.child.once('exit', resolve);
    });
    const patience = setTimeout(() => running.child.kill('SIGKILL'), 5_000);
    if (running.child.connected) {
      running.child.disconnect();
    }
    await ended;
    clearTimeout(patience);
  }
}
