import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedBuild } from '../builds/Build.ts';
import type { BuildOutcome, BuildStore, Claim } from '../builds/BuildStore.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildRunner } from './BuildRunner.ts';
import { nameOf, type WorkerLogger } from './WorkerLogger.ts';

const RETRY_MS = 1_000;

/** Runs builds, and writes down how they go and how they end. */
export class BuildRecorder {
  readonly #worker: string;
  readonly #store: Pick<BuildStore, 'saveProgress' | 'finish'>;
  readonly #runner: BuildRunner;
  readonly #jobs: JobCatalog;
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #logger: WorkerLogger;
  readonly #onEnded: (job: string) => Promise<void>;
  #shuttingDown = false;

  constructor(options: {
    /** This process among all. */
    worker: string;
    store: Pick<BuildStore, 'saveProgress' | 'finish'>;
    runner: BuildRunner;
    jobs: JobCatalog;
    leaseMs: number;
    now: () => number;
    logger: WorkerLogger;
    /** Told the job of a build that has ended here. */
    onEnded?(job: string): Promise<void>;
  }) {
    this.#worker = options.worker;
    this.#store = options.store;
    this.#runner = options.runner;
    this.#jobs = options.jobs;
    this.#leaseMs = options.leaseMs;
    this.#now = options.now;
    this.#logger = options.logger;
    this.#onEnded = options.onEnded ?? (async () => {});
  }

  /** From now on an end that cannot be written down is left to the next process. */
  shutDown(): void {
    this.#shuttingDown = true;
  }

  /** Never fails: what goes wrong is logged, and the build a failure. */
  async run(build: StartedBuild, signal: AbortSignal): Promise<void> {
    const { id, attempt } = build;
    const claim: Claim = { id, attempt, worker: this.#worker };
    try {
      const outcome = await this.#outcomeOf(build, { claim, signal });
      await this.#finish(claim, outcome);
      this.#logger.info(
        { build: nameOf(build), result: outcome.result },
        'A build ended',
      );
      await this.#onEnded(build.job);
    } catch (error) {
      this.#logger.error({ err: error, build: nameOf(build) }, 'A build broke');
    }
  }

  async #outcomeOf(
    build: StartedBuild,
    { claim, signal }: { claim: Claim; signal: AbortSignal },
  ): Promise<BuildOutcome> {
    try {
      return await this.#runner.run({
        build,
        job: this.#jobs.get(build.job),
        worker: this.#worker,
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
      return {
        result: 'FAILURE',
        reason: 'The build server could not run it',
        tests: null,
        steps: [],
        finishedAt: this.#now(),
      };
    }
  }

  /** Tries again while the database is away and the lease may still be ours. */
  async #finish(claim: Claim, outcome: BuildOutcome): Promise<void> {
    for (const until = this.#now() + 10 * this.#leaseMs; ; ) {
      try {
        await this.#store.finish(claim, outcome);
        return;
      } catch (error) {
        if (this.#now() > until || this.#shuttingDown) {
          throw error;
        }
        this.#logger.warn({ err: error }, 'The end of a build waits');
        await sleep(RETRY_MS);
      }
    }
  }
}
