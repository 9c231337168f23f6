import type { Build } from '../builds/Build.ts';
import type { BuildStore } from '../builds/BuildStore.ts';
import type { Interruption } from './Executor.ts';
import type { WorkerLogger } from './WorkerLogger.ts';

/** A build that runs here. */
interface Held {
  attempt: number;
  controller: AbortController;
  done: Promise<void>;
}

/**
 * The builds that this process runs. One is its own as long as the store says so: what
 * was taken away is ended at once.
 */
export class HeldBuilds {
  readonly #worker: string;
  readonly #store: Pick<BuildStore, 'renew'>;
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #logger: WorkerLogger;
  readonly #builds = new Map<number, Held>();
  #renewedAt: number;

  constructor(options: {
    /** This process among all. */
    worker: string;
    store: Pick<BuildStore, 'renew'>;
    leaseMs: number;
    now: () => number;
    logger: WorkerLogger;
  }) {
    this.#worker = options.worker;
    this.#store = options.store;
    this.#leaseMs = options.leaseMs;
    this.#now = options.now;
    this.#logger = options.logger;
    this.#renewedAt = options.now();
  }

  get size(): number {
    return this.#builds.size;
  }

  /**
   * Holds a build until its work is done, which must not fail.
   *
   * @returns when it is not held any more.
   * @param work - is given a signal whose reason is an {@link Interruption}.
   */
  hold(
    { id, attempt }: Build,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => this.#builds.delete(id));
    this.#builds.set(id, { attempt, controller, done });
    return done;
  }

  interrupt(id: number, reason: Interruption): void {
    this.#builds.get(id)?.controller.abort(reason);
  }

  /** Interrupts all, and waits until they are done. */
  async endAll(reason: Interruption): Promise<void> {
    const builds = [...this.#builds.values()];
    builds.forEach(({ controller }) => controller.abort(reason));
    await Promise.all(builds.map(({ done }) => done));
  }

  /** Says that the process is still there, and ends what others want ended or have taken. */
  async renew(): Promise<void> {
    const before = [...this.#builds.entries()];
    if (before.length === 0) {
      this.#renewedAt = this.#now();
      return;
    }
    try {
      const now = this.#now();
      const held = await this.#store.renew({
        worker: this.#worker,
        leaseUntil: now + this.#leaseMs,
      });
      this.#renewedAt = now;
      for (const [id, { attempt }] of before) {
        const mine = held.find(
          build => build.id === id && build.attempt === attempt,
        );
        if (!mine) {
          this.interrupt(id, { kind: 'lost' });
        } else if (mine.stopRequestedBy !== null) {
          this.interrupt(id, { kind: 'stopped', by: mine.stopRequestedBy });
        }
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'Leases could not be renewed');
      if (this.#now() - this.#renewedAt > this.#leaseMs) {
        before.forEach(([id]) => this.interrupt(id, { kind: 'lost' }));
      }
    }
  }
}
