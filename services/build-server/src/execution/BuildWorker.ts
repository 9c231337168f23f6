import { isStarted, type StartedBuild } from '../builds/Build.ts';
import type { BuildStore } from '../builds/BuildStore.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildRecorder } from './BuildRecorder.ts';
import type { HeldBuilds } from './HeldBuilds.ts';
import type { WorkerLogger } from './WorkerLogger.ts';

const POLL_MS = 500;
const RENEW_MS = 1_000;

/** Starts what is due, as much at a time as it has executors. */
export class BuildWorker {
  readonly #id: string;
  readonly #store: Pick<BuildStore, 'claim'>;
  readonly #held: HeldBuilds;
  readonly #recorder: BuildRecorder;
  readonly #jobs: JobCatalog;
  readonly #executors: number;
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #logger: WorkerLogger;
  readonly #onStarted: (build: StartedBuild) => void;
  readonly #timers: NodeJS.Timeout[] = [];
  #filling: Promise<void> | undefined;
  #woken = false;
  #stopping = false;

  constructor(options: {
    /** Of this process among all. */
    id: string;
    store: Pick<BuildStore, 'claim'>;
    held: HeldBuilds;
    recorder: BuildRecorder;
    jobs: JobCatalog;
    executors: number;
    leaseMs: number;
    now: () => number;
    logger: WorkerLogger;
    onStarted?(build: StartedBuild): void;
  }) {
    this.#id = options.id;
    this.#store = options.store;
    this.#held = options.held;
    this.#recorder = options.recorder;
    this.#jobs = options.jobs;
    this.#executors = options.executors;
    this.#leaseMs = options.leaseMs;
    this.#now = options.now;
    this.#logger = options.logger;
    this.#onStarted = options.onStarted ?? (() => {});
  }

  start(): void {
    if (this.#executors === 0) {
      return;
    }
    this.#timers.push(
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.#held.renew(), RENEW_MS),
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
    this.#held.interrupt(id, { kind: 'stopped', by });
  }

  /** Ends everything, and waits until it is written down. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#recorder.shutDown();
    await this.#filling;
    await this.#held.endAll({ kind: 'shutdown' });
    // Until here leases were renewed: ending may take longer than one of them.
    this.#timers.forEach(timer => clearInterval(timer));
  }

  async #fill(): Promise<void> {
    try {
      while (this.#woken && !this.#stopping) {
        this.#woken = false;
        const limit = this.#executors - this.#held.size;
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
    const done = this.#held.hold(build, signal =>
      this.#recorder.run(build, signal),
    );
    void done.then(() => this.wake());
    this.#onStarted(build);
  }
}
