import type { BuildStore } from '../builds/BuildStore.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { Executor } from './Executor.ts';
import type { WorkerIdentity } from './WorkerIdentity.ts';

/**
 * Ends builds whose process is gone: at once where this machine knows that it is, else
 * when its lease has run out. What it left running here is killed before.
 */
export class Recovery {
  readonly #store: BuildStore;
  readonly #executor: Executor;
  readonly #identity: WorkerIdentity;
  readonly #logs: BuildLogs;
  readonly #now: () => number;

  constructor(options: {
    store: BuildStore;
    executor: Executor;
    identity: WorkerIdentity;
    logs: BuildLogs;
    now: () => number;
  }) {
    this.#store = options.store;
    this.#executor = options.executor;
    this.#identity = options.identity;
    this.#logs = options.logs;
    this.#now = options.now;
  }

  /** @returns how many builds it ended. */
  async run(): Promise<number> {
    await this.#executor.sweep(worker => this.#identity.isGone(worker));
    let ended = 0;
    for (const { leaseUntil, ...claim } of await this.#store.listRunning()) {
      const now = this.#now();
      const isGone = await this.#identity.isGone(claim.worker);
      if (!isGone && leaseUntil >= now) {
        continue;
      }
      const reason = isGone
        ? 'The build server ended while it ran'
        : 'The build server that ran it gives no sign of life';
      const isOurs = await this.#store.abandon(claim, {
        now,
        reason,
        ...(!isGone && { leaseEndedBefore: now }),
      });
      if (isOurs) {
        ended += 1;
        await this.#note(claim.id, reason);
      }
    }
    return ended;
  }

  async #note(buildId: number, reason: string): Promise<void> {
    const log = await this.#logs.append(buildId);
    await log.note(`\n==> ${reason}\nFinished: ABORTED`);
    await log.close();
  }
}
