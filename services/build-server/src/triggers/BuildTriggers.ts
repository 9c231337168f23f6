import { createHash } from 'node:crypto';
import type {
  Build,
  BuildSource,
  Rerun,
  TriggerKind,
} from '../builds/Build.ts';
import type { Worker } from '../execution/Worker.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { readParameters } from '../jobs/readParameters.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { SkipStore } from '../storage/SkipStore.ts';
import { downstreamOf } from './Downstream.ts';

/** A request to build a job. */
export interface TriggerRequest {
  job: Job;
  /** The values sent for each parameter, by name. */
  parameters: ReadonlyMap<string, readonly string[]>;
  /** A sentence that says who or what triggers the build. */
  cause: string;
  /** `user` by default. */
  kind?: TriggerKind;
  triggeredBy?: string;
  source?: BuildSource;
  /** The parts of an earlier build to reuse. */
  rerun?: Rerun | null;
  /** The sender's id for this trigger: repeating it returns the same build. */
  delivery?: string;
  /** Milliseconds to wait; the quiet period of the job by default. */
  delayMs?: number;
}

/** Maximum number of characters of a delivery's id that the database stores. */
const MAX_DELIVERY = 256;

/** Dependencies of {@link BuildTriggers}. */
interface TriggerOptions {
  store: Pick<
    BuildStore,
    'enqueue' | 'findByDelivery' | 'list' | 'listUnfinishedBefore'
  >;
  skips: Pick<SkipStore, 'find'>;
  jobs: Pick<JobCatalog, 'assertEnabled' | 'branchOf' | 'enabled' | 'find'>;
  /** Notified when there is work. */
  worker: Pick<Worker, 'wake' | 'stopBuild'>;
  load: TriggerLoad;
  now: () => number;
}

/** Accepts triggers: when a call returns, the build is stored and has its number. */
export class BuildTriggers {
  readonly #options: TriggerOptions;

  constructor(options: TriggerOptions) {
    this.#options = options;
  }

  /**
   * @throws InvalidRequestError naming the invalid parameter.
   * @throws ConflictError for a job whose file has faults.
   */
  async trigger(request: TriggerRequest): Promise<Build> {
    const { store, jobs, worker, load, now } = this.#options;
    const { job, delayMs } = request;
    jobs.assertEnabled(job.name);
    const parameters = readParameters(job, request.parameters);
    const source = request.source ?? (await this.#sourceOf(job));
    const quietMs = (job.quietPeriodSeconds ?? 0) * 1_000;
    const queuedAt = now();
    const { build, isNew } = await load.during(() =>
      store.enqueue({
        job: job.name,
        cause: request.cause,
        kind: request.kind ?? 'user',
        group: job.concurrency?.group ?? null,
        triggeredBy: request.triggeredBy ?? null,
        parameters,
        source,
        rerun: request.rerun ?? null,
        delivery: fitted(request.delivery) ?? null,
        queuedAt,
        dueAt: queuedAt + (delayMs ?? quietMs),
        joinsWaiting: delayMs === undefined && quietMs > 0,
      }),
    );
    if (isNew) {
      if (job.concurrency?.cancelRunning) {
        await this.#supersede(build);
      }
      // Otherwise, it was started with the trigger.
      if (build.state === 'queued') {
        worker.wake();
      }
    }
    return build;
  }

  /**
   * Returns the source to build if the trigger names none: the newest commit of a branch or pull
   * request; null for the job of a file, whose checkout decides.
   */
  async #sourceOf({ name }: Job): Promise<BuildSource | null> {
    const { store, skips, jobs } = this.#options;
    const branch = jobs.branchOf(name);
    if (!branch) {
      return null;
    }
    const { ref, pullRequest: number } = branch;
    if (number === null) {
      return { ref, commits: [] };
    }
    const [last] = await store.list(name, 1);
    const described =
      last?.source?.pullRequest ?? (await skips.find(name))?.pullRequest;
    return {
      ref,
      commits: [],
      // Only an event says where its commits come from; without one, the build gets no secrets.
      pullRequest: described ?? { number, isFork: true },
    };
  }

  /** Cancels builds that became obsolete when the end of a build triggered newer ones. */
  async supersedeDownstream(ended: Build): Promise<void> {
    const { store, jobs } = this.#options;
    for (const { job, delivery } of downstreamOf(ended, this.#options)) {
      const build = jobs.find(job)?.concurrency?.cancelRunning
        ? await store.findByDelivery(job, delivery!)
        : undefined;
      if (build) {
        await this.#supersede(build);
      }
    }
  }

  /** Cancels the builds before a given one, which are obsolete. */
  async #supersede({ job, number }: Build): Promise<void> {
    const { store, worker } = this.#options;
    for (const id of await store.listUnfinishedBefore(job, number)) {
      await worker.stopBuild(id, `build #${number}, which is newer`);
    }
  }
}

/** Shortens the id of a delivery if it is too long; different ids remain different. */
function fitted(delivery: string | undefined): string | undefined {
  if (delivery === undefined || delivery.length <= MAX_DELIVERY) {
    return delivery;
  }
  const digest = createHash('sha256').update(delivery).digest('hex');
  return `${delivery.slice(0, MAX_DELIVERY - digest.length - 1)}:${digest}`;
}

/** Concurrent triggers that count as a burst. */
const BURST = 5;
/**
 * Milliseconds for which a burst lasts after the number of concurrent triggers was last this high.
 */
const BURST_MS = 50;
const LOOK_MS = 10;
/** The longest delay of builds by a burst, in milliseconds. */
const MAX_WAIT_MS = 500;

/**
 * Gives bursts of triggers priority over the start of builds, which blocks the event loop for
 * milliseconds: the senders of triggers wait for a response, while most of the builds have to queue
 * anyway. See docs/adr/0048-bursts-of-triggers.md.
 */
export class TriggerLoad {
  #underWay = 0;
  #burstAt = -Infinity;

  /** Handles a trigger. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    if (this.#underWay >= BURST) {
      this.#burstAt = performance.now();
    }
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Resolves immediately, or at the end of the current burst, after half a second at most. */
  async settled(): Promise<void> {
    const until = performance.now() + MAX_WAIT_MS;
    while (!this.isSettled() && performance.now() < until) {
      await new Promise(resolve => {
        setTimeout(resolve, LOOK_MS);
      });
    }
  }

  /** False during a burst. */
  isSettled(): boolean {
    return performance.now() - this.#burstAt >= BURST_MS;
  }
}
