import pLimit from 'p-limit';
import {
  type BuildSource,
  type BuildStep,
  type StartedBuild,
  UNMET,
} from '../builds/Build.ts';
import type { ConditionFacts } from '../jobs/Condition.ts';
import { isSequential, type PlannedStep } from '../jobs/planSteps.ts';
import type { StepActivity } from './StepActivity.ts';
import { changedGlobs } from './changedFiles.ts';
import { awaitDecision, untilDecided } from './awaitDecision.ts';
import {
  describeInterruption,
  type Interruption,
  isInterruption,
  within,
} from './commands.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { runStep } from './runStep.ts';

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
  const facts = factsOf(build, progress.source);
  const globs = plan.flatMap(({ condition }) => condition?.globs ?? []);
  const changed =
    globs.length > 0 ? await changedGlobs(placed, globs, signal) : undefined;
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
    const { step, condition } = planned;
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
    if (condition && !condition.isMet(facts, changed)) {
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
    const left = plan.flatMap(({ step, condition }, index) =>
      step.always &&
      !step.approval &&
      progress.steps[first + index].state === 'pending' &&
      (condition?.isMet(facts, changed) ?? true)
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
      // The build ends for the first reason, however this ends.
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
 * Selects the steps that need not run again: those that passed and that no step to be run
 * needs. Steps of a build share one folder, so a step runs again together with the steps
 * that produce its input.
 *
 * @returns their positions.
 */
function keptSteps(
  plan: readonly PlannedStep[],
  passed: readonly string[],
): Set<number> {
  const names = new Set(passed);
  const running = new Set<number>();
  const follow = (index: number, next: (of: number) => readonly number[]) => {
    for (const other of next(index)) {
      if (!running.has(other)) {
        running.add(other);
        follow(other, next);
      }
    }
  };
  const dependents = (of: number) =>
    [...plan.keys()].filter(index => plan[index].needs.includes(of));
  for (const index of plan.keys()) {
    if (!names.has(plan[index].name)) {
      running.add(index);
      follow(index, dependents);
    }
  }
  for (const index of [...running]) {
    follow(index, of => plan[of].needs);
  }
  return new Set([...plan.keys()].filter(index => !running.has(index)));
}

/** Returns the facts of a build, and of what it has checked out, that conditions can use. */
function factsOf(
  { kind, parameters }: StartedBuild,
  source: BuildSource | null,
): ConditionFacts {
  const { ref = '', pullRequest } = source ?? {};
  const after = (prefix: string) =>
    ref.startsWith(prefix) ? ref.slice(prefix.length) : '';
  return {
    ref,
    branch: pullRequest?.branch ?? after('refs/heads/'),
    tag: after('refs/tags/'),
    event: kind,
    base: pullRequest?.base ?? '',
    pullRequest: pullRequest !== undefined,
    fork: pullRequest?.isFork ?? false,
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        `parameters.${name}`,
        value,
      ]),
    ),
  };
}
