import { EngineProcess } from './EngineProcess.ts';
import { ProcessEndedError } from './ProcessEndedError.ts';

/** For what it has open to be closed, before it is killed. */
const END_TIMEOUT_MS = 5_000;

/**
 * A process of our own that is started by the first question and ends when none has
 * come for a while: engines take memory, and may die of a query without taking the
 * service along. The next question starts it anew.
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
   * @param options.idleMs - after which the process ends.
   */
  constructor(options: { script: URL; options: unknown; idleMs: number }) {
    const { idleMs, ...program } = options;
    this.#program = program;
    this.#idleMs = idleMs;
  }

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#running?.isUsable ? this.#running.pid : undefined;
  }

  /**
   * Asks the process.
   *
   * @param timeoutMs - after which the process is killed: engines cannot be interrupted.
   * @throws ProcessEndedError when it dies, or does not start.
   * @throws QueryTooHeavyError when the engine computes for too long, or says so.
   * @throws UnavailableError when the engine hangs.
   */
  async ask(question: Q, timeoutMs: number): Promise<unknown> {
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
      return await running.ask(question, timeoutMs);
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
