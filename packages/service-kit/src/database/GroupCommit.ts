import type { Knex } from 'knex';

/** Works of one commit at most: bounds what a failing commit takes with it, and the wait of the first. */
const GROUP_SIZE = 128;

interface Waiting {
  work: (trx: Knex.Transaction) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/**
 * One writer for SQLite, which has one anyway: transactions that wait while another
 * commits go together into the next commit, each in a savepoint of its own. So each
 * is as durable and as separate as if alone, and many share one fsync.
 */
export class GroupCommit {
  readonly #knex: Knex;
  readonly #waiting: Waiting[] = [];
  #draining = false;
  readonly #onIdle: (() => void)[] = [];

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Resolves once the work is on disk; rejects, having changed nothing, where the work throws. */
  run<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        work,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      if (!this.#draining) {
        this.#draining = true;
        void this.#drain();
      }
    });
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    if (this.#draining) {
      await new Promise<void>(resolve => {
        this.#onIdle.push(resolve);
      });
    }
  }

  async #drain(): Promise<void> {
    // Whoever calls in the same turn of the event loop belongs to the first group.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, GROUP_SIZE));
    }
    this.#draining = false;
    this.#onIdle.splice(0).forEach(tell => tell());
  }

  async #commit(group: Waiting[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      await this.#knex.transaction(async trx => {
        for (const { work, resolve, reject } of group) {
          try {
            const value =
              group.length === 1
                ? await work(trx)
                : await trx.transaction(work);
            settle.push(() => resolve(value));
          } catch (error) {
            if (group.length === 1) {
              throw error;
            }
            settle.push(() => reject(error));
          }
        }
      });
      settle.forEach(tell => tell());
    } catch (error) {
      group.forEach(({ reject }) => reject(error));
    }
  }
}
