import { ArtifactError } from '../artifacts/Artifacts.ts';
import type {
  Artifact,
  BuildResult,
  BuildStep,
  TestSummary,
} from '../builds/Build.ts';
import { countTests } from '../junit/countTests.ts';
import { JUnitError } from '../junit/readJUnit.ts';
import {
  describeInterruption,
  type Interruption,
  ReportError,
  within,
} from './commands.ts';
import type { PlacedBuild, Progress } from './PlacedBuild.ts';
import { readBuildFiles } from './readBuildFiles.ts';
import { CLEAN_UP_MS } from './runPlan.ts';

/** The result of a build, with its tests and artifacts. */
export interface Verdict {
  result: BuildResult;
  reason: string | null;
  tests: TestSummary | null;
  /** Stored artifacts. */
  artifacts?: Artifact[];
}

/** The test reports and artifacts of the steps that have run. */
export interface Produced {
  /** Globs of the test reports. */
  junit: readonly string[];
  /** Globs of the artifacts. */
  artifacts: readonly string[];
}

/**
 * Reads the test reports of a build whose steps have ended, stores its artifacts, and decides its
 * result.
 *
 * @param failure - why the first failed step failed.
 */
export async function conclude(
  placed: PlacedBuild,
  { junit, artifacts: globs, failure }: Produced & { failure: string | null },
  signal: AbortSignal,
): Promise<Verdict> {
  const reports = await readTestReports(placed, { junit, signal });
  const { artifacts, fault } = await keepArtifacts(placed, { globs, signal });
  const verdict = judge({
    failure,
    tests: reports.tests,
    fault: reports.fault ?? fault,
    steps: placed.progress.steps,
  });
  return { ...verdict, artifacts };
}

/** Keeps the reports and artifacts that a build produced before it was interrupted, if possible. */
export async function concludeInterrupted(
  placed: PlacedBuild,
  { junit, artifacts: globs }: Produced,
  interruption: Interruption,
): Promise<Verdict> {
  const verdict = interruptedBy(interruption, placed.progress);
  try {
    return await within(CLEAN_UP_MS, placed.killSignal, async signal => {
      const { tests } = await readTestReports(placed, { junit, signal });
      const { artifacts } = await keepArtifacts(placed, { globs, signal });
      return { ...verdict, tests, artifacts };
    });
  } catch (error) {
    placed.logger.warn(
      { err: error },
      'Could not collect the reports and artifacts of a stopped build',
    );
    return verdict;
  }
}

/** Decides the result of a build that was stopped early, and fails the steps that ran. */
export function interruptedBy(
  interruption: Interruption,
  progress: Progress,
): Verdict {
  const reason = describeInterruption(interruption);
  progress.fail(reason);
  return {
    // ABORTED in the contract means cancelled by hand; a timeout or a limit is a failure.
    result: ['timeout', 'limit'].includes(interruption.kind)
      ? 'FAILURE'
      : 'ABORTED',
    reason,
    tests: null,
  };
}

/**
 * Decides the result: a failed step fails the build, then missing or invalid reports;
 * failed tests and steps that may fail make it unstable.
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

/** Reads the test reports. @returns the totals of the tests, or what is wrong with the reports. */
async function readTestReports(
  { build, job, place, secrets }: PlacedBuild,
  { junit: globs, signal }: { junit: readonly string[]; signal: AbortSignal },
): Promise<{ tests: TestSummary | null; fault: string | null }> {
  if (globs.length === 0) {
    return { tests: null, fault: null };
  }
  try {
    const reports = await readBuildFiles(place, globs);
    if (reports.length === 0 && build.rerun) {
      // Its tests may belong to reused steps.
      return { tests: null, fault: null };
    }
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

/** Stores the artifacts. @returns them, or why none is stored. */
async function keepArtifacts(
  { build, place, artifacts: store }: PlacedBuild,
  { globs, signal }: { globs: readonly string[]; signal: AbortSignal },
): Promise<{ artifacts: Artifact[]; fault: string | null }> {
  try {
    const artifacts = await store.collect(build.id, {
      ...{ globs, signal },
      directory: await place.bring(globs),
    });
    return { artifacts, fault: null };
  } catch (error) {
    if (!(error instanceof ArtifactError || error instanceof ReportError)) {
      throw error;
    }
    await store.remove(build.id);
    return { artifacts: [], fault: error.message };
  }
}
