import { setTimeout as sleep } from 'node:timers/promises';
import { type Build, isStarted, type StartedBuild } from '../builds/Build.ts';
import type { BuildOutcome, BuildStore, Claim } from '../builds/BuildStore.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildRunner } from './BuildRunner.ts';
import type { Interruption } from './Executor.ts';

const POLL_MS = 500;
const RENEW_MS = 1_000;
const RETRY_MS = 1_000;

interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Starts what is due, as much at a time as it has executors, and keeps hold of it. A
 * build is its own as long as the store says so: what was taken away is ended at once.
 */
export class BuildWorker {
  readonly #id: string;
  readonly #store: BuildStore;
  readonly #runner: BuildRunner;
  readonly #jobs: JobCatalog;
  readonly #executors: number;
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #logger: Logger;
  readonly #onStarted: (build: StartedBuild) => void;
  readonly #onEnded: (job: string) => Promise<void>;
  readonly #running = new Map<
    number,
    { attempt: number; controller: AbortController; done: Promise<void> }
  >();
  readonly #timers: NodeJS.Timeout[] = [];
  #filling: Promise<void> | undefined;
  #woken = false;
  #stopping = false;
  #renewedAt: number;

  constructor(options: {
    /** Of this process among all. */
    id: string;
    store: BuildStore;
    runner: BuildRunner;
    jobs: JobCatalog;
    executors: number;
    leaseMs: number;
    now: () => number;
    logger: Logger;
    onStarted?(build: StartedBuild): void;
    /** Told the job of a build that has ended here. */
    onEnded?(job: string): Promise<void>;
  }) {
    this.#id = options.id;
    this.#store = options.store;
    this.#runner = options.runner;
    this.#jobs = options.jobs;
    this.#executors = options.executors;
    this.#leaseMs = options.leaseMs;
    this.#now = options.now;
    this.#logger = options.logger;
    this.#onStarted = options.onStarted ?? (() => {});
    this.#onEnded = options.onEnded ?? (async () => {});
    this.#renewedAt = options.now();
  }

  start(): void {
    if (this.#executors === 0) {
      return;
    }
    this.#timers.push(
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.#renew(), RENEW_MS),
    );
    this.wake();
  }

  /** Looks for work now rather than at the next poll; call it after a trigger. */
  wake(): void {
    if (this.#stopping || this.#executors === 0) {
      return;
    }
    this.#woken = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
  }

  /** Asks at once for the end of a build that runs here; others hear of it by the store. */
  interrupt(id: number, by: string): void {
    this.#running.get(id)?.controller.abort({
      kind: 'stopped',
      by,
    } satisfies Interruption);
  }

  /** Builds that run here. */
  get running(): ReadonlySet<number> {
    return new Set(this.#running.keys());
  }

  /** Ends everything, and waits until it is written down. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#filling;
    const reason: Interruption = { kind: 'shutdown' };
    const builds = [...this.#running.values()];
    builds.forEach(({ controller }) => controller.abort(reason));
    await Promise.all(builds.map(({ done }) => done));
    // Until here leases were renewed: ending may take longer than one of them.
    this.#timers.forEach(timer => clearInterval(timer));
  }

  async #fill(): Promise<void> {
    try {
      while (this.#woken && !this.#stopping) {
        this.#woken = false;
        const limit = this.#executors - this.#running.size;
        if (limit === 0) {
          return;
        }
        const now = this.#now();
        const builds = await this.#store.claim({
          worker: this.#id,
          jobs: this.#jobs.all().map(({ name, concurrent = false }) => ({
            name,
            serial: !concurrent,
          })),
          limit,
          now,
          leaseUntil: now + this.#leaseMs,
        });
        builds.filter(isStarted).forEach(build => this.#begin(build));
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'Builds wait: the queue failed');
    }
  }

  #begin(build: StartedBuild): void {
    const controller = new AbortController();
    const done = this.#run(build, controller.signal)
      .catch((error: unknown) => {
        this.#logger.error(
          { err: error, build: nameOf(build) },
          'A build broke',
        );
      })
      .finally(() => {
        this.#running.delete(build.id);
        this.wake();
      });
    this.#running.set(build.id, { attempt: build.attempt, controller, done });
    this.#onStarted(build);
  }

  async #run(build: StartedBuild, signal: AbortSignal): Promise<void> {
    const { id, attempt } = build;
    const claim: Claim = { id, attempt, worker: this.#id };
    let outcome: BuildOutcome;
    try {
      outcome = await this.#runner.run({
        build,
        job: this.#jobs.get(build.job),
        worker: this.#id,
        signal,
        onProgress: async progress => {
          await this.#store
            .saveProgress(claim, progress)
            // The end of the build says it all again.
            .catch((error: unknown) =>
              this.#logger.warn({ err: error }, 'Progress was not written'),
            );
        },
      });
    } catch (error) {
      this.#logger.error({ err: error, build: nameOf(build) }, 'A build broke');
      outcome = {
        result: 'FAILURE',
        reason: 'The build server could not run it',
        tests: null,
        steps: [],
        finishedAt: this.#now(),
      };
    }
    await this.#finish(claim, outcome);
    this.#logger.info(
      { build: nameOf(build), result: outcome.result },
      'A build ended',
    );
    await this.#onEnded(build.job);
  }

  /** Tries again while the database is away and the lease may still be ours. */
  async #finish(claim: Claim, outcome: BuildOutcome): Promise<void> {
    for (const until = this.#now() + 10 * this.#leaseMs; ; ) {
      try {
        await this.#store.finish(claim, outcome);
        return;
      } catch (error) {
        if (this.#now() > until || this.#stopping) {
          throw error;
        }
        this.#logger.warn({ err: error }, 'The end of a build waits');
        await sleep(RETRY_MS);
      }
    }
  }

  async #renew(): Promise<void> {
    const before = [...this.#running.entries()];
    if (before.length === 0) {
      this.#renewedAt = this.#now();
      return;
    }
    try {
      const now = this.#now();
      const held = await this.#store.renew({
        worker: this.#id,
        leaseUntil: now + this.#leaseMs,
      });
      this.#renewedAt = now;
      for (const [id, { attempt, controller }] of before) {
        const mine = held.find(
          build => build.id === id && build.attempt === attempt,
        );
        if (!mine) {
          this.#lose(controller);
        } else if (mine.stopRequestedBy !== null) {
          this.interrupt(id, mine.stopRequestedBy);
        }
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'Leases could not be renewed');
      if (this.#now() - this.#renewedAt > this.#leaseMs) {
        before.forEach(([, { controller }]) => this.#lose(controller));
      }
    }
  }

  #lose(controller: AbortController): void {
    controller.abort({ kind: 'lost' } satisfies Interruption);
  }
}

function nameOf({ job, number }: Build): string {
  return `${job} #${number}`;
}
