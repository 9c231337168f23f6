/** An action of a {@link KeyedQueue}, from the call that asked for it until it has ended. */
interface QueuedAction {
  kind: string;
  abort: AbortController;
  ended: Promise<unknown>;
}

/** What a {@link KeyedQueue} runs; `signal` aborts when somebody no longer wants it. */
type Action<T> = (signal: AbortSignal) => Promise<T>;

/** Runs the actions of each key one after the other, and those of different keys side by side. */
export class KeyedQueue<Kind extends string = string> {
  readonly #actions = new Map<string, QueuedAction[]>();

  /** Runs an action once every earlier one of its key has ended, however that ended. */
  async run<T>(key: string, kind: Kind, action: Action<T>): Promise<T> {
    const queued = this.#actions.get(key) ?? [];
    const before = queued.at(-1)?.ended;
    const abort = new AbortController();
    const ended = (async () => {
      await before?.catch(() => undefined);
      return action(abort.signal);
    })();
    const entry: QueuedAction = { kind, abort, ended };
    this.#actions.set(key, [...queued, entry]);
    try {
      return await ended;
    } finally {
      this.#remove(key, entry);
    }
  }

  /** Runs an action, or joins the latest of its key where that is of the same kind and has not ended. */
  async share(key: string, kind: Kind, action: Action<void>): Promise<void> {
    const latest = this.#actions.get(key)?.at(-1);
    if (latest?.kind === kind) {
      await latest.ended;
    } else {
      await this.run(key, kind, action);
    }
  }

  /** Returns whether an action of one of these kinds runs or waits for a key. */
  has(key: string, ...kinds: Kind[]): boolean {
    const queued = this.#actions.get(key) ?? [];
    return queued.some(({ kind }) => kinds.some(each => each === kind));
  }

  /** Aborts the signals of a key's actions of a kind; of every key without one. */
  abort(kind: Kind, key?: string): void {
    const queued =
      key === undefined
        ? [...this.#actions.values()].flat()
        : (this.#actions.get(key) ?? []);
    queued
      .filter(action => action.kind === kind)
      .forEach(({ abort }) => abort.abort());
  }

  /** Resolves once nothing runs or waits, actions included that others asked for meanwhile. */
  async idle(): Promise<void> {
    while (this.#actions.size > 0) {
      await Promise.allSettled(
        [...this.#actions.values()].flat().map(({ ended }) => ended),
      );
    }
  }

  #remove(key: string, entry: QueuedAction): void {
    const left = this.#actions.get(key)?.filter(each => each !== entry) ?? [];
    if (left.length > 0) {
      this.#actions.set(key, left);
    } else {
      this.#actions.delete(key);
    }
  }
}
