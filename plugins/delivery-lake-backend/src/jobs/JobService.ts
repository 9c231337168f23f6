import { LoggerService } from '@backstage/backend-plugin-api';
import { ConflictError, NotFoundError } from '@backstage/errors';
import { v7 as uuid } from 'uuid';
import { DatabaseJobStore, Job, JobKind } from '../storage/DatabaseJobStore';

/** Time without a heartbeat after which the process of a running job is considered dead. */
const LOST_AFTER_MS = 60_000;
const HEARTBEAT_MS = 10_000;
const REPORT_EVERY_MS = 500;

/** Does the work of a job and reports its progress. */
export type JobWork = (
  onProgress: (done: number, total: number) => void,
) => Promise<void>;

/** The work that each kind of job does. */
export interface LakeJobs {
  replay: JobWork;
  rebuild: JobWork;
  /** Deletes the names of a person. The names are not recorded, so a lost job cannot be resumed. */
  deletion: (names: readonly string[]) => JobWork;
}

/** Runs one job at a time across all replicas, and keeps a record of each. */
export class JobService {
  readonly #store: DatabaseJobStore;
  readonly #jobs: LakeJobs;
  readonly #logger: LoggerService;
  readonly #now: () => number;

  constructor(options: {
    store: DatabaseJobStore;
    work: LakeJobs;
    logger: LoggerService;
    now?: () => number;
  }) {
    this.#store = options.store;
    this.#jobs = options.work;
    this.#logger = options.logger;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Starts a job and returns immediately.
   *
   * @throws ConflictError while another job runs.
   */
  start(kind: 'replay' | 'rebuild'): Promise<Job> {
    return this.#start(kind, this.#jobs[kind]);
  }

  /**
   * Starts deleting the names of a person, and returns immediately.
   *
   * @throws ConflictError while another job runs.
   */
  startDeletion(names: readonly string[]): Promise<Job> {
    return this.#start('deletion', this.#jobs.deletion(names));
  }

  async #start(kind: JobKind, work: JobWork): Promise<Job> {
    const now = this.#now();
    const job: Job = {
      id: `job-${uuid()}`,
      kind,
      status: 'running',
      done: 0,
      total: 0,
      error: null,
      startedAt: now,
      updatedAt: now,
    };
    const running = await this.#store.insertUnlessRunning(
      job,
      now - LOST_AFTER_MS,
    );
    if (running) {
      throw new ConflictError(`A ${running.kind} is running: ${running.id}`);
    }
    void this.#run(job, work);
    return job;
  }

  /** Returns a job. @throws NotFoundError if it does not exist. */
  async get(id: string): Promise<Job> {
    const job = await this.#store.get(id);
    if (!job) {
      throw new NotFoundError(`Job ${id} not found`);
    }
    return this.#isLost(job)
      ? {
          ...job,
          status: 'failed',
          error: 'The portal stopped while it was running; start it again',
        }
      : job;
  }

  #isLost(job: Job): boolean {
    return (
      job.status === 'running' && this.#now() - job.updatedAt > LOST_AFTER_MS
    );
  }

  async #run({ id, kind }: Job, work: JobWork): Promise<void> {
    const progress = { done: 0, total: 0 };
    let reportedAt = 0;
    const report = () => {
      reportedAt = this.#now();
      this.#store
        .update(id, { ...progress, updatedAt: reportedAt })
        .catch(error =>
          this.#logger.warn(
            `The progress of job ${id} was not recorded`,
            error,
          ),
        );
    };
    const heartbeat = setInterval(report, HEARTBEAT_MS);
    try {
      await work((done, total) => {
        Object.assign(progress, { done, total });
        if (this.#now() - reportedAt >= REPORT_EVERY_MS) {
          report();
        }
      });
      await this.#finish(id, { ...progress, status: 'done' });
    } catch (error) {
      this.#logger.error(`The ${kind} ${id} failed`, error as Error);
      await this.#finish(id, {
        ...progress,
        status: 'failed',
        error: `The ${kind} failed; the portal's log says why`,
      });
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #finish(
    id: string,
    outcome: Pick<Job, 'status' | 'done' | 'total'> & { error?: string },
  ): Promise<void> {
    await this.#store
      .update(id, { ...outcome, updatedAt: this.#now() })
      .catch(error =>
        this.#logger.error(`The end of job ${id} was not recorded`, error),
      );
  }
}
