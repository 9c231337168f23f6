import type {
  Artifact,
  BuildResult,
  BuildStep,
  TestSummary,
} from '../builds/Build.ts';
import { describeInterruption, type Interruption } from './commands.ts';
import type { Progress } from './PlacedBuild.ts';

/** The result of a build, with its tests and artifacts. */
export interface Verdict {
  result: BuildResult;
  reason: string | null;
  tests: TestSummary | null;
  /** Stored artifacts. */
  artifacts?: Artifact[];
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
