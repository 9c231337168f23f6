import type { Caller } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import { asStarted, isStarted, type StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type DiscardPolicy, discardPolicyOf } from '../jobs/JobParts.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import type { SkippedPush } from '../storage/SkipStore.ts';
import { readPermalinks } from './BuildLookup.ts';
import { presentJob, summarizeJob } from './presentJob.ts';

/** The number of builds in lists and in the details of a job, as in Jenkins. */
const RECENT = 10;
const HISTORY = 100;
/** The maximum number of builds if all are requested. */
const ALL = 5_000;

/** The caller for whom a job is read, and the extent. */
interface ReadOptions {
  caller: Caller;
  base: string;
  inQueue: boolean;
  /** Its last push that was not built. */
  skipped: SkippedPush | undefined;
  /** True to show the builds of the job in full. */
  isDeep: boolean;
  /** True for all builds, not only the newest. */
  wantsAll?: boolean;
}

/** Reads jobs together with their state. */
export class JobReader {
  readonly #permissions: Permissions;
  readonly #jobs: Pick<
    JobCatalog,
    'fileOf' | 'branchOf' | 'mainBranchOf' | 'disabledBy'
  >;
  readonly #store: BuildReader;
  readonly #discardOldBuilds: DiscardPolicy;
  readonly #maxKeptBuilds: number;
  readonly #now: () => number;

  constructor(options: {
    permissions: Permissions;
    jobs: Pick<
      JobCatalog,
      'fileOf' | 'branchOf' | 'mainBranchOf' | 'disabledBy'
    >;
    store: BuildReader;
    /** The default discard policy of jobs. */
    discardOldBuilds: DiscardPolicy;
    /** The default limit of builds that people keep. */
    maxKeptBuilds: number;
    now: () => number;
  }) {
    this.#permissions = options.permissions;
    this.#jobs = options.jobs;
    this.#store = options.store;
    this.#discardOldBuilds = options.discardOldBuilds;
    this.#maxKeptBuilds = options.maxKeptBuilds;
    this.#now = options.now;
  }

  /** Reads a job as shown in lists. */
  async summary(job: Job, options: ReadOptions) {
    const { caller, base, inQueue, skipped, isDeep } = options;
    return summarizeJob(
      job,
      {
        builds: await this.#builds(job, RECENT),
        inQueue,
        skipped,
        ...this.#jobs.fileOf(job.name),
        branch: this.#jobs.branchOf(job.name),
        disabledBy: this.#jobs.disabledBy(job.name),
        triggerable: await this.#permissions.mayTrigger(caller, job),
      },
      { base, now: this.#now(), isDeep },
    );
  }

  /** Reads all details of a job. */
  async whole(job: Job, options: ReadOptions) {
    const { caller, base, inQueue, skipped, isDeep, wantsAll } = options;
    const all = wantsAll ? await this.#builds(job, ALL) : undefined;
    const builds = all?.slice(0, HISTORY) ?? (await this.#builds(job, HISTORY));
    const areAll = builds.length < HISTORY;
    const kept = await this.#store.listKept(job.name, HISTORY);
    const oldest = areAll
      ? builds.at(-1)
      : await this.#store.findOldest(job.name);
    return presentJob(
      job,
      {
        builds,
        allBuilds: all,
        inQueue,
        skipped,
        ...this.#jobs.fileOf(job.name),
        branch: this.#jobs.branchOf(job.name),
        disabledBy: this.#jobs.disabledBy(job.name),
        triggerable: await this.#permissions.mayTrigger(caller, job),
        manageable: await this.#permissions.mayManage(caller, job),
        mainBranch: this.#jobs.mainBranchOf(job.name)?.name ?? null,
        permalinks: await readPermalinks(this.#store, {
          job: job.name,
          builds,
          areAll,
        }),
        keptBuilds: kept.map(asStarted).filter(build => build !== undefined),
        keptCount:
          kept.length < HISTORY
            ? kept.length
            : await this.#store.countKept(job.name),
        maxKeptBuilds: job.maxKeptBuilds ?? this.#maxKeptBuilds,
        firstBuild: oldest && isStarted(oldest) ? oldest : null,
        nextBuildNumber: await this.#store.nextNumber(job.name),
        discardOldBuilds: discardPolicyOf(job, this.#discardOldBuilds),
      },
      { base, now: this.#now(), isDeep },
    );
  }

  async #builds(job: Job, limit: number): Promise<StartedBuild[]> {
    return (await this.#store.list(job.name, limit)).filter(isStarted);
  }
}
