import type { Build, BuildSource } from '../builds/Build.ts';
import type { BuildStore } from '../builds/BuildStore.ts';
import type { Job } from '../jobs/Job.ts';
import { readParameters } from '../jobs/readParameters.ts';

/** What somebody wants to be built. */
export interface TriggerRequest {
  job: Job;
  /** By name, as they were sent. */
  parameters: ReadonlyMap<string, readonly string[]>;
  /** A sentence: who or what triggers. */
  cause: string;
  triggeredBy?: string;
  source?: BuildSource;
  /** What the sender calls this trigger: sent again, it is the same build. */
  delivery?: string;
  /** Milliseconds to wait; the quiet period of the job when left out. */
  delayMs?: number;
}

/** Takes triggers in: once it answers, the build is on disk and has its number. */
export class BuildTriggers {
  readonly #store: BuildStore;
  readonly #now: () => number;
  readonly #onQueued: () => void;

  constructor(options: {
    store: BuildStore;
    now: () => number;
    /** Told that there is work. */
    onQueued(): void;
  }) {
    this.#store = options.store;
    this.#now = options.now;
    this.#onQueued = options.onQueued;
  }

  /** @throws InvalidRequestError naming the parameter at fault. */
  async trigger(request: TriggerRequest): Promise<Build> {
    const { job, delayMs } = request;
    const parameters = readParameters(job, request.parameters);
    const quietMs = (job.quietPeriodSeconds ?? 0) * 1_000;
    const queuedAt = this.#now();
    const { build, isNew } = await this.#store.enqueue({
      job: job.name,
      cause: request.cause,
      triggeredBy: request.triggeredBy ?? null,
      parameters,
      source: request.source ?? null,
      delivery: request.delivery ?? null,
      queuedAt,
      dueAt: queuedAt + (delayMs ?? quietMs),
      joinsWaiting: delayMs === undefined && quietMs > 0,
    });
    if (isNew) {
      this.#onQueued();
    }
    return build;
  }
}
