import type { BuildSource, StartedBuild } from '../builds/Build.ts';
import { type Job, type JobStep, timeoutMsOf } from '../jobs/Job.ts';
import type { BuildLog } from '../logs/BuildLog.ts';
import type { SecretMask } from '../secrets/SecretMask.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import { checkOut, CheckoutError } from './checkOut.ts';
import type { ExecutionPlace } from './Executor.ts';
import { judge, type Verdict } from './judge.ts';
import { readTestReports } from './readTestReports.ts';
import type { StepTracker } from './StepTracker.ts';
import { within } from './within.ts';

/** How repositories are read. */
export interface GitOptions {
  protocols: readonly string[];
  caFile?: string;
}

/** A build in its place: checkout, steps, reports, each within the time that it has. */
export class RunningBuild {
  readonly #build: StartedBuild;
  readonly #job: Job;
  readonly #place: ExecutionPlace;
  readonly #log: BuildLog;
  readonly #mask: SecretMask;
  readonly #secrets: StepSecrets;
  readonly #steps: StepTracker;
  readonly #git: GitOptions;
  readonly #onSource: (source: BuildSource) => void;
  readonly #signal: AbortSignal;
  #environment: Record<string, string> = {};

  constructor(options: {
    build: StartedBuild;
    job: Job;
    place: ExecutionPlace;
    log: BuildLog;
    mask: SecretMask;
    secrets: StepSecrets;
    steps: StepTracker;
    git: GitOptions;
    signal: AbortSignal;
    onSource(source: BuildSource): void;
  }) {
    this.#build = options.build;
    this.#job = options.job;
    this.#place = options.place;
    this.#log = options.log;
    this.#mask = options.mask;
    this.#secrets = options.secrets;
    this.#steps = options.steps;
    this.#git = options.git;
    this.#onSource = options.onSource;
    this.#signal = options.signal;
  }

  /** @throws Interruption */
  async run(): Promise<Verdict> {
    return within(timeoutMsOf(this.#job), this.#signal, async signal => {
      const failure =
        (await this.#checkOut(signal)) ?? (await this.#runSteps(signal));
      const reports = await readTestReports(this.#place, {
        globs: this.#job.junit,
        mask: this.#mask,
      });
      return judge({ failure, ...reports, steps: this.#steps.steps });
    });
  }

  async #checkOut(signal: AbortSignal): Promise<string | null> {
    const { source } = this.#job;
    if (!source) {
      return null;
    }
    await this.#steps.begin(0);
    await this.#log.note('==> Check out');
    try {
      const found = await checkOut({
        ...this.#git,
        place: this.#place,
        repository: source.repository,
        branch:
          (source.branchFrom && this.#build.parameters[source.branchFrom]) ||
          source.branch,
        pushed: this.#build.source,
        signal,
        output: chunk => this.#log.write(chunk),
      });
      this.#onSource(found);
      this.#environment = { GIT_COMMIT: found.after ?? '' };
      await this.#log.note(`Checked out ${found.after}`);
      this.#steps.end(0, 'done');
      return null;
    } catch (error) {
      if (!(error instanceof CheckoutError)) {
        throw error;
      }
      this.#steps.end(0, 'failed', error.message);
      return `Check out failed: ${error.message}`;
    }
  }

  /** @returns why a step failed; later ones have not run then. */
  async #runSteps(signal: AbortSignal): Promise<string | null> {
    const first = this.#steps.steps.length - this.#job.steps.length;
    for (const [position, step] of this.#job.steps.entries()) {
      const index = first + position;
      await this.#steps.begin(index);
      await this.#log.note(`==> ${step.name}`);
      const failure = await this.#runStep(step, signal);
      if (failure === null) {
        this.#steps.end(index, 'done');
      } else if (step.allowFailure) {
        this.#steps.end(index, 'warning', failure);
      } else {
        this.#steps.end(index, 'failed', failure);
        return `${step.name} failed: ${failure}`;
      }
    }
    return null;
  }

  async #runStep(step: JobStep, signal: AbortSignal): Promise<string | null> {
    const run = (limited: AbortSignal) =>
      this.#place.run({
        argv: ['/bin/sh', '-e', '-c', step.run],
        environment: {
          ...this.#environment,
          ...step.environment,
          ...this.#secrets.environmentOf(step),
        },
        signal: limited,
        output: chunk => this.#log.write(chunk),
      });
    if (step.timeoutSeconds === undefined) {
      return run(signal);
    }
    try {
      return await within(step.timeoutSeconds * 1_000, signal, run);
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
      return `it was not done after ${step.timeoutSeconds} seconds`;
    }
  }
}
