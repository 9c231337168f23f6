import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { InvalidRequestError, RateLimitedError } from '@slipway/service-kit';
import type { Context } from 'unleash-client';
import type { Flag, Segment } from '../model/Flag.ts';
import type { Explanation } from './explain.ts';
import type { TableCell, TablePart } from './tabulate.ts';

/** Time limit of a question once its turn has come, including the start of the thread, in milliseconds. */
const LONGEST_MS = 10_000;
/** Idle time after which the thread is ended, in milliseconds. */
const IDLE_MS = 30_000;
/** Memory limit of the thread in megabytes. */
const MEMORY_MB = 128;
/** Maximum number of waiting questions. */
const MAX_WAITING = 20;
/** Maximum number of waiting questions of one caller, so that one cannot keep all others waiting. */
const MAX_OWN = 2;

/** A flag in an environment, with all flags and segments that its evaluation for a context may need. */
export interface Question {
  readonly flag: Flag;
  readonly others: readonly Flag[];
  readonly segments: readonly Segment[];
  readonly environment: string;
  readonly context: Context;
}

/** A message to the thread, with one task. */
export type Task = { explain: Question } | { tabulate: TablePart };

/** Runs a task in the thread and resolves with its result. */
type Send = <T>(task: Task) => Promise<T>;

/** The caller who sends a question. */
export interface Asker {
  /** The name of the caller, as in histories. */
  readonly caller: string;
  /** Aborted with an error once the caller no longer waits. */
  readonly signal?: AbortSignal;
}

/**
 * Explains and tabulates flags in a separate thread, one question at a time: anyone may send unsaved
 * rules, and a single expression can take seconds, during which the service could not respond.
 */
export class Explainer {
  readonly #longestMs: number;
  #thread: Worker | undefined;
  #latest: Promise<unknown> = Promise.resolve();
  /** The callers of the waiting questions. */
  readonly #waiting = new Set<Asker>();
  #idle: NodeJS.Timeout | undefined;

  /** @param options.longestMs - time limit of a question once its turn has come. */
  constructor({ longestMs = LONGEST_MS } = {}) {
    this.#longestMs = longestMs;
  }

  /**
   * Explains a flag for a context; not evaluated if the caller disconnects before its turn.
   *
   * @throws InvalidRequestError if the rules take too long or too much memory; RateLimitedError if
   *   too many others, or other questions of the caller, wait; the reason of the caller's signal.
   */
  explain(question: Question, asker: Asker): Promise<Explanation> {
    return this.#inTurn(question, asker, (asked, send) =>
      send<Explanation>({ explain: asked }),
    );
  }

  /**
   * Returns the cells of each flag of a table. All parts are evaluated in one turn, but copied to the
   * thread one by one, so that no copy blocks the service for long. Stops when the caller disconnects.
   *
   * @throws as {@link explain}; the error for rules that take too long names the flags.
   */
  tabulate(parts: Iterable<TablePart>, asker: Asker): Promise<TableCell[][]> {
    return this.#inTurn(parts, asker, async (asked, send) => {
      const rows: TableCell[][] = [];
      for (const part of asked) {
        asker.signal?.throwIfAborted();
        try {
          rows.push(...(await send<TableCell[][]>({ tabulate: part })));
        } catch (error) {
          throw error instanceof InvalidRequestError
            ? new InvalidRequestError(`${error.message}: ${rangeOf(part)}`)
            : error;
        }
      }
      return rows;
    });
  }

  /** Evaluates a question when its turn comes. */
  async #inTurn<Q extends object, T>(
    question: Q,
    asker: Asker,
    answerTo: (asked: Q, send: Send) => Promise<T>,
  ): Promise<T> {
    const { caller, signal } = asker;
    signal?.throwIfAborted();
    const own = [...this.#waiting].filter(each => each.caller === caller);
    if (this.#waiting.size >= MAX_WAITING || own.length >= MAX_OWN) {
      throw new RateLimitedError(1);
    }
    // A copy, in case a caller passes the same object twice.
    const place = { ...asker };
    this.#waiting.add(place);
    // Released when the caller leaves: it may be large, and its turn far away.
    let asked: Q | undefined = question;
    let refuse: (reason: unknown) => void;
    const gone = new Promise<never>((_resolve, reject) => {
      refuse = reject;
    });
    const leave = () => {
      asked = undefined;
      this.#waiting.delete(place);
      refuse(signal?.reason);
    };
    signal?.addEventListener('abort', leave);
    const answer = this.#latest
      .then(() => {
        // From now on, it runs and keeps others waiting even if the caller leaves.
        signal?.removeEventListener('abort', leave);
        if (!asked) {
          throw new Error('Nobody waits for the answer');
        }
        const current = asked;
        return this.#ask(send => answerTo(current, send));
      })
      .finally(() => this.#waiting.delete(place));
    this.#latest = answer.catch(() => {});
    return Promise.race([answer, gone]);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #ask<T>(answerWith: (send: Send) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    const endsAt = performance.now() + this.#longestMs;
    try {
      return await answerWith(task => this.#send(task, endsAt));
    } finally {
      this.#idle = setTimeout(() => this.close(), IDLE_MS);
      this.#idle.unref();
    }
  }

  /** Runs a task in the thread. @param endsAt - the time of `performance.now()` at which it is aborted. */
  async #send<T>(task: Task, endsAt: number): Promise<T> {
    const thread = (this.#thread ??= this.#start());
    const watch = new AbortController();
    const { signal } = watch;
    const leftMs = Math.max(0, endsAt - performance.now());
    try {
      thread.postMessage(task);
      const [answer] = (await Promise.race([
        once(thread, 'message', { signal }),
        once(thread, 'exit', { signal }).then(() => {
          throw new Error('The thread of the playground has ended');
        }),
        sleep(leftMs, undefined, { signal }).then(() => {
          throw tooHeavy('long to evaluate');
        }),
      ])) as [T];
      return answer;
    } catch (error) {
      // The thread has ended, or is busy with a task that no one waits for.
      await this.close();
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? tooHeavy('much memory')
        : error;
    } finally {
      watch.abort();
    }
  }

  #start(): Worker {
    const thread = startThread();
    // It may also exit while it is idle, and must not be used after that.
    thread.once('exit', () => {
      if (this.#thread === thread) {
        this.#thread = undefined;
      }
    });
    return thread;
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL('./explainThread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // It may fail while no one waits for it, or while it is being ended: an `error` event without a
  // listener would crash the service.
  thread.on('error', () => {});
  return thread;
}

function tooHeavy(words: string): InvalidRequestError {
  return new InvalidRequestError(`The rules take too ${words}`);
}

/** Names the first and the last flag of a part. */
function rangeOf({ flags }: TablePart): string {
  const first = flags[0].name;
  const last = flags[flags.length - 1].name;
  return first === last ? first : `${first} to ${last}`;
}
