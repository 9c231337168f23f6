/** Outcome of a test. A flaky test failed, then passed when it was run again in the same build. */
export type TestOutcome = 'passed' | 'failed' | 'skipped' | 'flaky';

/** Selects which tests of a build to list. */
export interface TestQuery {
  outcome?: TestOutcome;
  offset: number;
  limit: number;
}

/** One test of a build. */
export interface TestResult {
  id: string;
  suite: string;
  name: string;
  outcome: TestOutcome;
  durationMs: number;
  message: string | null;
  /** True if it failed in this build but not in the previous one. */
  isNew: boolean;
  /** True if it passed and failed on the same commit within 14 days. */
  isFlaky: boolean;
  /** Number of builds in the last 14 days in which it failed. */
  failures: number;
}

export interface TestList {
  total: number;
  failed: number;
  skipped: number;
  /** Number of tests that match the query. */
  listed: number;
  tests: TestResult[];
}

/** Outcomes of a test in the newest builds of a job and its branches, newest first. */
export interface TestRunHistory {
  suite: string;
  name: string;
  runs: {
    job: string;
    number: number;
    outcome: TestOutcome;
    durationMs: number;
    sha: string | null;
    finishedAt: number;
  }[];
}
