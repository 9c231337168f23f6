import { ConflictError } from '@backstage/errors';

interface StartUnderWay {
  abort: AbortController;
  /** Resolves when the start is over, however it ended. */
  over: Promise<unknown>;
}

/** The starts under way: at most one of a workspace. */
export class StartsUnderWay {
  readonly #starts = new Map<string, StartUnderWay>();

  has(id: string): boolean {
    return this.#starts.has(id);
  }

  /**
   * Runs a start, with a signal that aborts when the caller's does or {@link abort} is called.
   *
   * @throws ConflictError when the workspace is starting already.
   */
  async run<T>(
    id: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#starts.has(id)) {
      throw new ConflictError('The workspace is already starting');
    }
    const abort = new AbortController();
    const started = start(AbortSignal.any([signal, abort.signal]));
    this.#starts.set(id, { abort, over: started.catch(() => undefined) });
    try {
      return await started;
    } finally {
      this.#starts.delete(id);
    }
  }

  /** Aborts the start of a workspace, if there is one, and waits until it is over. */
  async abort(id: string, reason: Error): Promise<void> {
    const start = this.#starts.get(id);
    start?.abort.abort(reason);
    await start?.over;
  }

  /** Aborts every start, and waits until all are over. */
  async abortAll(reason: Error): Promise<void> {
    await Promise.all(
      [...this.#starts.keys()].map(id => this.abort(id, reason)),
    );
  }
}
