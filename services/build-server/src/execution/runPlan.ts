import pLimit from 'p-limit';
import { type BuildStep, UNMET } from '../builds/Build.ts';
import { factsOf } from '../jobs/Condition.ts';
import { timeoutMsOf } from '../jobs/Job.ts';
import {
  isSequential,
  keptSteps,
  type PlannedStep,
} from '../jobs/planSteps.ts';
import { awaitDecision, untilDecided } from './awaitDecision.ts';
import { changedGlobs } from './changedFiles.ts';
import {
  describeInterruption,
  type Interruption,
  isInterruption,
  type Output,
  within,
  withinOr,
} from './commands.ts';
import { gitVariables, type PlacedBuild } from './PlacedBuild.ts';
import type { StepActivity } from './StepActivity.ts';

/** Time to clean up after a build that was stopped or timed out. */
export const CLEAN_UP_MS = 60_000;

/** Steps of one build that run at a time. */
const AT_ONCE = 4;

/** The result of a step. A step skipped by its condition does not block others. */
type End = 'passed' | 'blocked';

/**
 * Runs each step as soon as the steps it needs are done. A failed step blocks the steps
 * that need it, unless they always run; the others continue. Steps that always run do so also
 * after the build was stopped or timed out.
 *
 * @param options.first - position of the first step in the progress of the build.
 * @param options.causeNow - returns the failure outside of the steps, such as a failed service, that
 * explains why steps fail; null if there is none.
 * @returns why the first failed step failed.
 * @throws Interruption
 */
export async function runPlan(
  placed: PlacedBuild,
  plan: readonly PlannedStep[],
  options: {
    first: number;
    signal: AbortSignal;
    activity: StepActivity;
    causeNow(): string | null;
  },
): Promise<string | null> {
  const { build, progress } = placed;
  const { first, signal, activity, causeNow } = options;
  const kept = keptSteps(plan, build.rerun?.passed ?? []);
  /** Input values given by the approvers of steps. */
  const inputs: Record<string, string> = {};
  const isAlone = isSequential(plan);
  const mayWait = plan.some(({ step }) => step.approval);
  const globs = plan.flatMap(({ condition }) => condition?.globs ?? []);
  const changed =
    globs.length > 0 ? await changedGlobs(placed, globs, signal) : undefined;
  const isMet = ({ condition }: PlannedStep) =>
    condition?.isMet(factsOf(build, progress.source), changed) ?? true;
  const limited = pLimit(AT_ONCE);
  let failed: string | null = null;

  const running = new Map<number, Promise<End>>();
  /** Starts a step once, regardless of who requests it first. */
  function begin(index: number): Promise<End> {
    const found = running.get(index) ?? run(index);
    running.set(index, found);
    return found;
  }

  async function run(index: number): Promise<End> {
    const planned = plan[index];
    if (kept.has(index)) {
      progress.keep(first + index, `Passed in build #${build.rerun!.number}`);
      return 'passed';
    }
    const { step } = planned;
    const ends = await Promise.all(planned.needs.map(need => begin(need)));
    const blocking = ends.indexOf('blocked');
    if (blocking >= 0 && !step.always) {
      progress.skip(
        first + index,
        `${plan[planned.needs[blocking]].name} did not pass`,
      );
      return 'blocked';
    }
    // A step that always runs does not unblock the steps that depend on it.
    const passed: End = blocking >= 0 ? 'blocked' : 'passed';
    if (!isMet(planned)) {
      progress.skip(first + index, UNMET);
      return passed;
    }
    const ended = progress.endOf(first + index);
    if (ended) {
      return resume(planned, ended);
    }
    const failure = step.approval
      ? await activity.wait(() => decide(index))
      : await limited(() => activity.run(() => perform(index, signal)));
    return end(index, failure) === 'blocked' ? 'blocked' : passed;
  }

  /** Runs a step. @returns why it failed; null if it did not. */
  async function perform(
    index: number,
    ending: AbortSignal,
  ): Promise<string | null> {
    // The program starts in the meantime; its output waits.
    const begun = progress
      .begin(first + index)
      .then(() => placed.log.note(`==> ${plan[index].name}`));
    begun.catch(() => undefined);
    // A build that is stored as only waiting would run the step twice after a crash.
    await (mayWait ? begun : undefined);
    return runStep(placed, plan[index], {
      ...{ isAlone, inputs, begun },
      signal: ending,
    }).finally(() => begun);
  }

  function end(index: number, failure: string | null): End {
    const { name, step } = plan[index];
    if (failure === null) {
      progress.end(first + index, 'done');
    } else if (step.allowFailure) {
      progress.end(first + index, 'warning', failure);
    } else {
      progress.end(first + index, 'failed', failure);
      failed ??= causeNow() ?? `${name} failed: ${failure}`;
      return 'blocked';
    }
    return 'passed';
  }

  /** Runs the steps that always run and have not begun, one after another. */
  async function cleanUp(interruption: Interruption): Promise<void> {
    progress.fail(describeInterruption(interruption));
    const left = plan.flatMap((planned, index) =>
      planned.step.always &&
      !planned.step.approval &&
      progress.steps[first + index].state === 'pending' &&
      isMet(planned)
        ? [index]
        : [],
    );
    await within(CLEAN_UP_MS, placed.killSignal, async grace => {
      for (const index of left) {
        end(index, await perform(index, grace));
      }
    });
  }

  /** Takes over a step that ended before the build was interrupted. */
  async function resume(
    planned: PlannedStep,
    { state, message }: BuildStep,
  ): Promise<End> {
    if (state === 'failed') {
      failed ??= causeNow() ?? `${planned.name} failed: ${message}`;
      return 'blocked';
    }
    // A step that may fail has ended without a decision if nobody made one in time.
    if (planned.step.approval && state === 'done') {
      const { values } = await untilDecided(placed, planned, signal);
      Object.assign(inputs, values);
    }
    return 'passed';
  }

  /**
   * Waits for the decision about an approval step.
   *
   * @returns why it did not pass; null if it did.
   */
  async function decide(index: number): Promise<string | null> {
    const waitedMs = await progress.wait(first + index);
    const decided = await awaitDecision(placed, plan[index], {
      signal,
      waitedMs,
    });
    if ('failure' in decided) {
      return decided.failure;
    }
    Object.assign(inputs, decided.values);
    return null;
  }

  const settled = await Promise.allSettled(
    plan.map((_, index) => begin(index)),
  );
  const broken = settled.find(({ status }) => status === 'rejected');
  if (broken?.status === 'rejected') {
    const { reason } = broken;
    if (allowsCleanUp(reason)) {
      // The build ends for the original reason, whether or not the clean-up succeeds.
      await cleanUp(reason).catch(() => undefined);
    }
    throw reason;
  }
  return failed;
}

/** Checks whether a build that was interrupted may still clean up and report. */
export function allowsCleanUp(thrown: unknown): thrown is Interruption {
  return isInterruption(thrown) && ['stopped', 'timeout'].includes(thrown.kind);
}

/**
 * Runs the program of a step, and retries it as often as its rule says.
 *
 * @param options.begun - resolves once the start of the step is stored.
 * @returns why the step failed, after its last retry.
 */
export async function runStep(
  placed: PlacedBuild,
  planned: PlannedStep,
  options: {
    isAlone: boolean;
    signal: AbortSignal;
    inputs: Readonly<Record<string, string>>;
    begun: Promise<void>;
  },
): Promise<string | null> {
  const { log } = placed;
  const { name, step } = planned;
  const { times = 0, exitCodes } = step.retry ?? {};
  const lines = options.isAlone ? undefined : log.lines(`[${name}] `);
  const output: Output = async chunk => {
    await options.begun;
    await (lines ?? log).write(chunk);
  };
  for (let left = times; ; left -= 1) {
    const failure = await tryStep(placed, planned, { ...options, output });
    await options.begun;
    await lines?.end();
    const [, code] = /exit code (\d+)$/.exec(failure ?? '') ?? [];
    const isRetried = !exitCodes || exitCodes.includes(Number(code));
    if (failure === null || left === 0 || !isRetried) {
      return failure;
    }
    await log.note(`==> ${name}: ${failure}; it runs again`);
  }
}

async function tryStep(
  { build, job, place, secrets, progress }: PlacedBuild,
  { step, variables }: PlannedStep,
  options: {
    signal: AbortSignal;
    output: Output;
    inputs: Readonly<Record<string, string>>;
  },
): Promise<string | null> {
  const { signal, output, inputs } = options;
  const { workingDirectory, timeoutSeconds } = step;
  const script = ['/bin/sh', '-e', '-c', step.run!];
  const run = (limited: AbortSignal) =>
    place.run({
      argv:
        workingDirectory === undefined
          ? script
          : [
              '/bin/sh',
              '-c',
              'cd -- "$0" && exec "$@"',
              workingDirectory,
              ...script,
            ],
      environment: {
        // What was checked out, since the trigger may have named a tag or nothing.
        ...(job.source && gitVariables(progress.source)),
        ...step.environment,
        ...inputs,
        ...variables,
        // The author of a pull request from a fork controls what its steps do.
        ...(!build.source?.pullRequest?.isFork && secrets.environmentOf(step)),
      },
      isOffline: step.network === 'none',
      timeoutSeconds: timeoutSeconds ?? timeoutMsOf(job) / 1_000,
      signal: limited,
      output,
    });
  if (timeoutSeconds === undefined) {
    return run(signal);
  }
  const late = `it timed out after ${timeoutSeconds} seconds`;
  return withinOr<string | null>(late, timeoutSeconds * 1_000, signal, run);
}
