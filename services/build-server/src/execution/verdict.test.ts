import type { BuildStep, TestSummary } from '../builds/Build.ts';
import { judge } from './verdict.ts';

const step = (state: BuildStep['state']): BuildStep => ({
  name: 'Lint',
  state,
  startedAt: 0,
  finishedAt: 1,
  message: null,
});
const tests = (failed: number): TestSummary => ({
  total: 3,
  failed,
  skipped: 0,
  failures: [],
});

it.each([
  [{}, 'SUCCESS', null],
  [{ tests: tests(0) }, 'SUCCESS', null],
  [{ tests: tests(2) }, 'UNSTABLE', '2 of 3 tests failed'],
  [
    { steps: [step('warning')] },
    'UNSTABLE',
    'Lint failed, which its job allows',
  ],
  [
    { tests: tests(2), steps: [step('warning')] },
    'UNSTABLE',
    '2 of 3 tests failed',
  ],
  [{ fault: 'No test report' }, 'FAILURE', 'No test report'],
  [
    { failure: 'Test failed', fault: 'No test report', tests: tests(2) },
    'FAILURE',
    'Test failed',
  ],
])('of %o it is %s', (found, result, reason) => {
  const all = { failure: null, fault: null, tests: null, steps: [], ...found };
  expect(judge(all)).toEqual({ result, reason, tests: all.tests });
});
