import type { Artifacts } from '../artifacts/Artifacts.ts';
import {
  type BuildProgress,
  type BuildSource,
  type BuildStep,
  onlyWaits,
  type StartedBuild,
} from '../builds/Build.ts';
import type { JobRules } from '../jobs/checkJob.ts';
import type { Job } from '../jobs/Job.ts';
import type { PlannedStep } from '../jobs/planSteps.ts';
import { splitCredentials } from '../jobs/repository.ts';
import type { BuildLog } from '../logs/BuildLog.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { Place } from './Executor.ts';
import type { Exchange } from './Exchange.ts';
import type { WorkerLogger } from './Worker.ts';

/** Options for access to repositories. */
export interface GitOptions {
  protocols: readonly string[];
  caFile?: string;
}

/** A build in the place where it runs. */
export interface PlacedBuild extends Exchange {
  build: StartedBuild;
  job: Job;
  plan: readonly PlannedStep[];
  place: Place;
  log: BuildLog;
  secrets: StepSecrets;
  progress: Progress;
  git: GitOptions;
  artifacts: Artifacts;
  /** The rules for the pipelines of a commit. */
  rules: Omit<JobRules, 'repositoryOf'>;
  /** Records whether the build only waits for a person and uses no executor. */
  setIdle(isIdle: boolean): void;
  /** Aborts when the build must end without cleaning up. */
  killSignal: AbortSignal;
  logger: WorkerLogger;
}

/** A step of a build that has not started. */
export interface NamedStep {
  name: string;
  /** Positions of the steps it depends on. */
  needs?: readonly number[];
  /** Errors of the pipeline file that it represents. */
  faults?: BuildStep['faults'];
}

/**
 * Milliseconds after which the end of a step is saved, unless the start of the next one or the end
 * of the build saves it first.
 */
const SAVE_MS = 50;

/** The progress of a running build: its steps, and its revision. */
export class Progress {
  readonly steps: BuildStep[];
  source: BuildSource | null;
  readonly #now: () => number;
  readonly #save: (progress: BuildProgress) => Promise<void>;
  readonly #recorded: readonly BuildStep[];
  /** The save in progress; the next one starts after it. */
  #saving: Promise<void> = Promise.resolve();
  /** The next save, which includes all changes until it starts. */
  #next: Promise<void> | undefined;
  #later: NodeJS.Timeout | undefined;

  constructor(
    steps: readonly NamedStep[],
    options: {
      source: BuildSource | null;
      /** The steps of the attempt that this one resumes. */
      recorded?: readonly BuildStep[];
      now: () => number;
      /** Saves the progress whenever a step starts or ends. A step does not start if this fails. */
      save(progress: BuildProgress): Promise<void>;
    },
  ) {
    this.source = options.source;
    this.#now = options.now;
    this.#save = options.save;
    this.#recorded = options.recorded ?? [];
    this.steps = [];
    this.add(steps);
  }

  /**
   * Adds steps that only become known while the build runs. A step of a resumed attempt keeps its
   * state.
   *
   * @param steps - their `needs` count from the first of them; a step without `needs` follows
   * `after`.
   * @returns the position of the first.
   */
  add(steps: readonly NamedStep[], after: readonly number[] = []): number {
    const first = this.steps.length;
    this.steps.push(
      ...steps.map(({ name, needs = [], faults }, index): BuildStep => {
        const recorded = this.#recorded[first + index];
        return {
          state: 'pending',
          startedAt: null,
          finishedAt: null,
          message: null,
          ...(recorded?.name === name && recorded),
          ...(faults && { faults }),
          name,
          needs:
            needs.length > 0 ? needs.map(need => need + first) : [...after],
        };
      }),
    );
    return first;
  }

  async begin(index: number): Promise<void> {
    Object.assign(this.steps[index], {
      state: 'running',
      startedAt: this.#now(),
    });
    await this.#saveNext();
  }

  /**
   * Marks a step as waiting for a person.
   *
   * @returns for how long it has been waiting, in milliseconds.
   */
  async wait(index: number): Promise<number> {
    const step = this.steps[index];
    const now = this.#now();
    const startedAt = step.state === 'waiting' ? step.startedAt! : now;
    Object.assign(step, { state: 'waiting', startedAt });
    await this.#saveNext();
    return now - startedAt;
  }

  /** Returns how a step has ended; undefined if it has not, or was skipped. */
  endOf(index: number): BuildStep | undefined {
    const step = this.steps[index];
    return ['done', 'warning', 'failed'].includes(step.state)
      ? step
      : undefined;
  }

  /** Marks a step as reused from an earlier build in which it passed. */
  keep(index: number, message: string): void {
    Object.assign(this.steps[index], { state: 'done', message });
  }

  /** Ends a step. It is saved soon, in the background: other steps may run for long. */
  end(
    index: number,
    state: 'done' | 'warning' | 'failed',
    message: string | null = null,
  ): void {
    Object.assign(this.steps[index], {
      state,
      message,
      finishedAt: this.#now(),
    });
    // The next start reports a failure.
    const save = () => void this.#saveNext().catch(() => undefined);
    if (this.isWaiting) {
      // A process that takes the build over must not run the step again.
      save();
    } else {
      this.#later ??= setTimeout(save, SAVE_MS);
    }
  }

  /** Cancels pending saves: the outcome, which is about to be stored, includes all progress. */
  close(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
  }

  /** Marks a step as skipped. */
  skip(index: number, message: string): void {
    Object.assign(this.steps[index], { state: 'skipped', message });
  }

  /** True if nothing runs and a step waits for a person. */
  get isWaiting(): boolean {
    return onlyWaits(this.steps);
  }

  /** Fails the running steps. */
  fail(message: string): void {
    for (const [index, { state }] of this.steps.entries()) {
      if (state === 'running' || state === 'waiting') {
        this.end(index, 'failed', message);
      }
    }
  }

  #saveNext(): Promise<void> {
    this.close();
    this.#next ??= this.#saving.then(async () => {
      this.#saving = this.#next!;
      this.#next = undefined;
      await this.#save({ steps: this.steps, source: this.source });
    });
    return this.#next;
  }
}

/** Returns the variables that describe a source, named as in Jenkins. */
export function gitVariables(
  source: BuildSource | null,
): Record<string, string> {
  const { after, before, ref } = source ?? {};
  const variables = {
    GIT_COMMIT: after,
    GIT_PREVIOUS_COMMIT: before,
    GIT_REF: ref,
    GIT_BRANCH: ref?.replace(/^refs\/(?:heads|tags)\//, ''),
  };
  return definedOf(variables);
}

function definedOf(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}

/** Returns the variables that describe the branch or pull request of a job, named as in Jenkins. */
function changeVariables({
  job,
  source,
}: StartedBuild): Record<string, string> {
  const { number, branch, base, title, url } = source?.pullRequest ?? {};
  const [, ...names] = job.split('/');
  const variables = {
    BRANCH_NAME: names.length > 0 ? names.join('/') : undefined,
    CHANGE_ID: number === undefined ? undefined : String(number),
    CHANGE_BRANCH: branch,
    CHANGE_TARGET: base,
    CHANGE_TITLE: title,
    CHANGE_URL: url,
  };
  return definedOf(variables);
}

/**
 * Returns the variables of every command of a build, in addition to those of its place.
 * Parameter values are passed only here: they never become part of a script.
 */
export function buildVariables(
  build: StartedBuild,
  { job, url }: { job: Job; url: string },
): Record<string, string> {
  return {
    ...changeVariables(build),
    ...job.environment,
    ...build.parameters,
    CI: 'true',
    JOB_NAME: build.job,
    BUILD_NUMBER: String(build.number),
    // The same as the number, as in Jenkins.
    BUILD_ID: String(build.number),
    BUILD_URL: url,
    ...(job.source && {
      GIT_URL: splitCredentials(job.source.repository).repository,
    }),
    ...gitVariables(build.source),
  };
}
