import { stringifyError } from '@backstage/errors';

/** An action that is waiting or running in a {@link KeyedQueue}. */
interface QueuedAction {
  kind: string;
  abort: AbortController;
  ended: Promise<unknown>;
}

/** An action that a {@link KeyedQueue} runs; `signal` aborts when its result is no longer wanted. */
type Action<T> = (signal: AbortSignal) => Promise<T>;

/** Runs the actions of each key one at a time, and those of different keys in parallel. */
export class KeyedQueue<Kind extends string = string> {
  readonly #actions = new Map<string, QueuedAction[]>();

  /** Runs an action after all earlier actions of its key have ended, whether they failed or not. */
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

  /** Runs an action, or joins the latest action of its key if that is of the same kind and has not ended. */
  async share(key: string, kind: Kind, action: Action<void>): Promise<void> {
    const latest = this.#actions.get(key)?.at(-1);
    if (latest?.kind === kind) {
      await latest.ended;
    } else {
      await this.run(key, kind, action);
    }
  }

  /** Returns whether an action of one of these kinds is running or waiting for a key. */
  has(key: string, ...kinds: Kind[]): boolean {
    const queued = this.#actions.get(key) ?? [];
    return queued.some(({ kind }) => kinds.some(each => each === kind));
  }

  /** Aborts the actions of a kind for a key, or for all keys if no key is given. */
  abort(kind: Kind, key?: string): void {
    const queued =
      key === undefined
        ? [...this.#actions.values()].flat()
        : (this.#actions.get(key) ?? []);
    queued
      .filter(action => action.kind === kind)
      .forEach(({ abort }) => abort.abort());
  }

  /** Resolves when no action is running or waiting, including those added in the meantime. */
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

/** Limits how many tasks run at the same time; the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(size: number) {
    this.#free = Math.max(1, Math.floor(size));
  }

  /** The number of waiting tasks. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs `work` when a slot is free; rejects with the signal's reason if it aborts before that. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const left = new AbortController();
      const admit = () => {
        left.abort();
        resolve();
      };
      this.#queue.push(admit);
      signal.addEventListener(
        'abort',
        () => {
          this.#queue.splice(this.#queue.indexOf(admit), 1);
          reject(signal.reason);
        },
        { once: true, signal: left.signal },
      );
    });
  }

  #leave() {
    const next = this.#queue.shift();
    if (next) {
      next();
    } else {
      this.#free += 1;
    }
  }
}

/**
 * Waits until all promises have settled.
 *
 * @throws the error if one was rejected; an AggregateError with all messages if several were.
 */
export async function settleAll(
  works: readonly Promise<unknown>[],
): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap(outcome =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  if (errors.length > 1) {
    throw new AggregateError(errors, errors.map(stringifyError).join('; '));
  }
  if (errors.length === 1) {
    throw errors[0];
  }
}

/**
 * Waits for work until a signal aborts; the work itself continues.
 *
 * @throws the reason of the signal.
 */
export function raceAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason);
    if (signal.aborted) {
      cancel();
    }
    signal.addEventListener('abort', cancel, { once: true });
    work
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', cancel));
  });
}
