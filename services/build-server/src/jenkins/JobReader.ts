import type { Caller } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import { isStarted, type StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type DiscardPolicy, policyOf } from '../retention/DiscardPolicy.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import { readPermalinks } from './BuildLookup.ts';
import { presentJob, summarizeJob } from './presentJob.ts';

/** What lists show of each job, and what one job shows, as in Jenkins. */
const RECENT = 10;
const HISTORY = 100;
/** Asked for all builds, so many are told. */
const ALL = 5_000;

/** The caller that a job is read for, and how much of the job is read. */
interface ReadOptions {
  caller: Caller;
  base: string;
  inQueue: boolean;
  /** True where the builds of the job are shown in full. */
  isDeep: boolean;
  /** True where all builds are asked for, and not the newest alone. */
  wantsAll?: boolean;
}

/** Reads jobs together with what has become of them. */
export class JobReader {
  readonly #permissions: Permissions;
  readonly #jobs: Pick<JobCatalog, 'fileOf' | 'branchOf'>;
  readonly #store: BuildReader;
  readonly #discardOldBuilds: DiscardPolicy;
  readonly #now: () => number;

  constructor(options: {
    permissions: Permissions;
    jobs: Pick<JobCatalog, 'fileOf' | 'branchOf'>;
    store: BuildReader;
    /** The discard policy of jobs that have none of their own. */
    discardOldBuilds: DiscardPolicy;
    now: () => number;
  }) {
    this.#permissions = options.permissions;
    this.#jobs = options.jobs;
    this.#store = options.store;
    this.#discardOldBuilds = options.discardOldBuilds;
    this.#now = options.now;
  }

  /** A job as lists show it. */
  async summary(job: Job, { caller, base, inQueue, isDeep }: ReadOptions) {
    return summarizeJob(
      job,
      {
        builds: await this.#builds(job, RECENT),
        inQueue,
        ...this.#jobs.fileOf(job.name),
        branch: this.#jobs.branchOf(job.name),
        triggerable: await this.#permissions.mayTrigger(caller, job),
      },
      { base, now: this.#now(), isDeep },
    );
  }

  /** All of a job. */
  async whole(job: Job, options: ReadOptions) {
    const { caller, base, inQueue, isDeep, wantsAll } = options;
    const all = wantsAll ? await this.#builds(job, ALL) : undefined;
    const builds = all?.slice(0, HISTORY) ?? (await this.#builds(job, HISTORY));
    const areAll = builds.length < HISTORY;
    const oldest = areAll
      ? builds.at(-1)
      : await this.#store.findOldest(job.name);
    return presentJob(
      job,
      {
        builds,
        allBuilds: all,
        inQueue,
        ...this.#jobs.fileOf(job.name),
        branch: this.#jobs.branchOf(job.name),
        triggerable: await this.#permissions.mayTrigger(caller, job),
        permalinks: await readPermalinks(this.#store, {
          job: job.name,
          builds,
          areAll,
        }),
        firstBuild: oldest && isStarted(oldest) ? oldest : null,
        nextBuildNumber: await this.#store.nextNumber(job.name),
        discardOldBuilds: policyOf(job, this.#discardOldBuilds),
      },
      { base, now: this.#now(), isDeep },
    );
  }

  async #builds(job: Job, limit: number): Promise<StartedBuild[]> {
    return (await this.#store.list(job.name, limit)).filter(isStarted);
  }
}
