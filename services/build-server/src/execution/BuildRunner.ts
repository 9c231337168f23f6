import type { BuildSource, StartedBuild } from '../builds/Build.ts';
import type { BuildOutcome, BuildProgress } from '../builds/BuildStore.ts';
import type { Job } from '../jobs/Job.ts';
import type { BuildLog } from '../logs/BuildLog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { SecretMask } from '../secrets/SecretMask.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import { buildEnvironment } from './buildEnvironment.ts';
import {
  describeInterruption,
  type Executor,
  type Interruption,
} from './Executor.ts';
import type { Verdict } from './judge.ts';
import { type GitOptions, RunningBuild } from './RunningBuild.ts';
import { StepTracker } from './StepTracker.ts';

/** What a runner is given of a build. */
export interface BuildOrder {
  build: StartedBuild;
  job: Job;
  /** Of the process that runs it. */
  worker: string;
  /** Its reason is an {@link Interruption}. */
  signal: AbortSignal;
  onProgress(progress: BuildProgress): Promise<void>;
}

/** Runs one build from checkout to reports. Whatever happens in it is an outcome, not an error. */
export class BuildRunner {
  readonly #executor: Executor;
  readonly #logs: BuildLogs;
  readonly #secrets: StepSecrets;
  readonly #git: GitOptions;
  readonly #urlOf: (build: StartedBuild) => string;
  readonly #now: () => number;

  constructor(options: {
    executor: Executor;
    logs: BuildLogs;
    secrets: StepSecrets;
    git: GitOptions;
    /** Where people see a build. */
    urlOf(build: StartedBuild): string;
    now: () => number;
  }) {
    this.#executor = options.executor;
    this.#logs = options.logs;
    this.#secrets = options.secrets;
    this.#git = options.git;
    this.#urlOf = options.urlOf;
    this.#now = options.now;
  }

  async run(order: BuildOrder): Promise<BuildOutcome> {
    const { build, job } = order;
    const mask = this.#secrets.maskOf(job);
    const log = await this.#logs.append(build.id, mask);
    let source: BuildSource | null = build.source;
    const names = job.steps.map(({ name }) => name);
    const steps = new StepTracker(
      job.source ? ['Check out', ...names] : names,
      {
        now: this.#now,
        onChange: current => order.onProgress({ steps: current, source }),
      },
    );
    const onSource = (found: BuildSource) => {
      source = found;
    };
    try {
      await log.note(build.cause);
      const verdict = await this.#attempt(order, {
        log,
        mask,
        steps,
        onSource,
      });
      if (verdict.reason !== null) {
        await log.note(`==> ${verdict.reason}`);
      }
      await log.note(`Finished: ${verdict.result}`);
      return {
        ...verdict,
        steps: steps.steps,
        source,
        finishedAt: this.#now(),
      };
    } finally {
      await log.close();
    }
  }

  async #attempt(
    order: BuildOrder,
    parts: {
      log: BuildLog;
      mask: SecretMask;
      steps: StepTracker;
      onSource(source: BuildSource): void;
    },
  ): Promise<Verdict> {
    const { build, job, worker } = order;
    const place = await this.#executor.open({
      id: build.id,
      worker,
      environment: buildEnvironment(build, { job, url: this.#urlOf(build) }),
    });
    try {
      return await new RunningBuild({
        ...order,
        ...parts,
        place,
        secrets: this.#secrets,
        git: this.#git,
      }).run();
    } catch (error) {
      if (!isInterruption(error)) {
        throw error;
      }
      const reason = describeInterruption(error);
      parts.steps.fail(reason);
      return {
        // The contract's ABORTED is by hand; what takes too long has failed.
        result: error.kind === 'timeout' ? 'FAILURE' : 'ABORTED',
        reason,
        tests: null,
      };
    } finally {
      await place.close();
    }
  }
}

function isInterruption(error: unknown): error is Interruption {
  return (
    !(error instanceof Error) &&
    typeof error === 'object' &&
    error !== null &&
    'kind' in error
  );
}
