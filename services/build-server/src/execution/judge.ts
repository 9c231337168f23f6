import type { BuildResult, BuildStep, TestSummary } from '../builds/Build.ts';

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
    ? { result: 'UNSTABLE', reason: `${warning.name} failed, and may`, tests }
    : { result: 'SUCCESS', reason: null, tests };
}
