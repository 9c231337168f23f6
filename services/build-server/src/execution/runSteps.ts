import type {
  BuildResult,
  BuildStep,
  StartedBuild,
  TestSummary,
} from '../builds/Build.ts';
import { type Job, type JobStep, timeoutMsOf } from '../jobs/Job.ts';
import { countTests } from '../junit/countTests.ts';
import { JUnitError } from '../junit/readJUnit.ts';
import type { BuildLog } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import { checkOut, CheckoutError } from './checkOut.ts';
import { type Interruption, ReportError } from './commands.ts';
import type { LocalPlace } from './local/LocalExecutor.ts';
import type { Progress } from './Progress.ts';

/** How repositories are read. */
export interface GitOptions {
  protocols: readonly string[];
  caFile?: string;
}

/** A build in the place where it runs. */
export interface PlacedBuild {
  build: StartedBuild;
  job: Job;
  place: LocalPlace;
  log: BuildLog;
  secrets: StepSecrets;
  progress: Progress;
  git: GitOptions;
}

/**
 * Checks out, runs the steps and reads the test reports, within the time that the job has.
 *
 * @throws Interruption
 */
export async function runSteps(
  placed: PlacedBuild,
  outer: AbortSignal,
): Promise<Verdict> {
  const { job, progress } = placed;
  return within(timeoutMsOf(job), outer, async signal => {
    const failure =
      (await checkOutSource(placed, signal)) ??
      (await runEachStep(placed, signal));
    const reports = await readTestReports(placed, signal);
    return judge({ failure, ...reports, steps: progress.steps });
  });
}

/** @returns why the checkout failed. */
async function checkOutSource(
  { build, job, place, log, progress, git }: PlacedBuild,
  signal: AbortSignal,
): Promise<string | null> {
  const { source } = job;
  if (!source) {
    return null;
  }
  await progress.begin(0);
  await log.note('==> Check out');
  try {
    const found = await checkOut({
      ...git,
      place,
      repository: source.repository,
      branch:
        (source.branchFrom && build.parameters[source.branchFrom]) ||
        source.branch,
      pushed: build.source,
      signal,
      output: chunk => log.write(chunk),
    });
    progress.source = found;
    await log.note(`Checked out ${found.after}`);
    progress.end(0, 'done');
    return null;
  } catch (error) {
    if (!(error instanceof CheckoutError)) {
      throw error;
    }
    progress.end(0, 'failed', error.message);
    return `Check out failed: ${error.message}`;
  }
}

/** @returns why a step failed; later ones have not run then. */
async function runEachStep(
  placed: PlacedBuild,
  signal: AbortSignal,
): Promise<string | null> {
  const { job, log, progress } = placed;
  const first = progress.steps.length - job.steps.length;
  for (const [position, step] of job.steps.entries()) {
    const index = first + position;
    await progress.begin(index);
    await log.note(`==> ${step.name}`);
    const failure = await runStep(placed, step, signal);
    if (failure === null) {
      progress.end(index, 'done');
    } else if (step.allowFailure) {
      progress.end(index, 'warning', failure);
    } else {
      progress.end(index, 'failed', failure);
      return `${step.name} failed: ${failure}`;
    }
  }
  return null;
}

async function runStep(
  { job, place, log, secrets, progress }: PlacedBuild,
  step: JobStep,
  signal: AbortSignal,
): Promise<string | null> {
  const run = (limited: AbortSignal) =>
    place.run({
      argv: ['/bin/sh', '-e', '-c', step.run],
      environment: {
        // What was checked out, where the trigger may have named a tag or nothing.
        ...(job.source && { GIT_COMMIT: progress.source?.after ?? '' }),
        ...step.environment,
        ...secrets.environmentOf(step),
      },
      signal: limited,
      output: chunk => log.write(chunk),
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
    return `it timed out after ${step.timeoutSeconds} seconds`;
  }
}

/** @returns what the tests came to, or what is wrong with their reports. */
async function readTestReports(
  { job, place, secrets }: PlacedBuild,
  signal: AbortSignal,
): Promise<{ tests: TestSummary | null; fault: string | null }> {
  const { junit: globs } = job;
  if (!globs) {
    return { tests: null, fault: null };
  }
  try {
    const reports = await place.read(globs);
    if (reports.length === 0) {
      const fault = `No test report matches ${globs.join(', ')}`;
      return { tests: null, fault };
    }
    const values = secrets.valuesOf(job);
    const tests = await countTests(reports, { secrets: values, signal });
    return { tests, fault: null };
  } catch (error) {
    if (error instanceof JUnitError || error instanceof ReportError) {
      return { tests: null, fault: error.message };
    }
    throw error;
  }
}

/** Gives work a time-out of its own, beside a signal that may end it anyway. */
async function within<T>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const reason: Interruption = { kind: 'timeout', seconds: timeoutMs / 1_000 };
  const timer = setTimeout(() => limit.abort(reason), timeoutMs);
  try {
    return await work(AbortSignal.any([outer, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** What a build comes to. */
export interface Verdict {
  result: BuildResult;
  reason: string | null;
  tests: TestSummary | null;
}

/**
 * A failed step decides, then reports that are not as promised; else tests and steps
 * that may fail make a build unstable.
 *
 * @param found.failure - why a step or the checkout failed.
 * @param found.fault - what is wrong with the test reports.
 */
export function judge(found: {
  failure: string | null;
  fault: string | null;
  tests: TestSummary | null;
  steps: readonly BuildStep[];
}): Verdict {
  const { failure, fault, tests, steps } = found;
  const reason = failure ?? fault;
  if (reason !== null) {
    return { result: 'FAILURE', reason, tests };
  }
  if (tests && tests.failed > 0) {
    return {
      result: 'UNSTABLE',
      reason: `${tests.failed} of ${tests.total} tests failed`,
      tests,
    };
  }
  const warning = steps.find(({ state }) => state === 'warning');
  return warning
    ? {
        result: 'UNSTABLE',
        reason: `${warning.name} failed, which its job allows`,
        tests,
      }
    : { result: 'SUCCESS', reason: null, tests };
}
