/** How a build ended; the contract's words. */
export type BuildResult = 'SUCCESS' | 'UNSTABLE' | 'FAILURE' | 'ABORTED';

/** The state of a build. One that is cancelled in the queue is finished without a start. */
type BuildState = 'queued' | 'running' | 'finished';

/** A commit as its pusher told of it. */
export interface Commit {
  id: string;
  message: string;
  author: string;
}

/** What is built. */
export interface BuildSource {
  /** The full name of the repository at its forge, e.g. `shop/payments-api`. */
  repository?: string;
  /** e.g. `refs/heads/main` */
  ref?: string;
  before?: string;
  /** The commit; from a push, or found by checking out. */
  after?: string;
  commits: Commit[];
}

/** One step as it went. Times are milliseconds since the Unix epoch. */
export interface BuildStep {
  name: string;
  state: 'pending' | 'running' | 'done' | 'warning' | 'failed';
  startedAt: number | null;
  finishedAt: number | null;
  /** Why it failed. */
  message: string | null;
}

/** What test reports came to. */
export interface TestSummary {
  total: number;
  failed: number;
  skipped: number;
  /** The first hundred of the failed test cases. */
  failures: { suite: string; name: string; message: string }[];
}

/** A trigger and what came of it. Times are milliseconds since the Unix epoch. */
export interface Build {
  /** Also the number of its queue item. */
  id: number;
  job: string;
  /** Reserved when it was triggered. */
  number: number;
  state: BuildState;
  result: BuildResult | null;
  /** Why it ended as it did, where that is not plain from its steps. */
  reason: string | null;
  /** A sentence that says who or what triggered the build. */
  cause: string;
  triggeredBy: string | null;
  parameters: Record<string, string>;
  source: BuildSource | null;
  steps: BuildStep[];
  tests: TestSummary | null;
  queuedAt: number;
  /** Before that it waits. */
  dueAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  attempt: number;
  worker: string | null;
  stopRequestedBy: string | null;
}

/** A build that has begun. */
export type StartedBuild = Build & { startedAt: number };

/** False in the queue, and for good where a build was cancelled there. */
export function isStarted(build: Build): build is StartedBuild {
  return build.startedAt !== null;
}

/** What is written down when a build is triggered. Times in milliseconds. */
export interface NewBuild {
  job: string;
  cause: string;
  triggeredBy: string | null;
  parameters: Record<string, string>;
  source: BuildSource | null;
  /** What the sender calls this trigger; again the same is the same build. */
  delivery: string | null;
  queuedAt: number;
  dueAt: number;
  /** True where a waiting build with the same parameters and source takes its place. */
  joinsWaiting: boolean;
}

/** A build in the hands of one process, once: its fencing number. */
export interface Claim {
  id: number;
  worker: string;
  attempt: number;
}

/** What a running build has come to so far. */
export interface BuildProgress {
  steps: BuildStep[];
  source?: BuildSource | null;
}

/** How a build ended. */
export interface BuildOutcome extends BuildProgress {
  result: BuildResult;
  reason: string | null;
  tests: TestSummary | null;
  /** Milliseconds since the Unix epoch. */
  finishedAt: number;
}

/** A running build that its process has to look after. */
export interface HeldBuild {
  id: number;
  attempt: number;
  stopRequestedBy: string | null;
}

/** Shortens the name of whoever triggered a build for people: `user:default/ada` is `ada`. */
export function shortName(by: string): string {
  return by.replace(/^user:default\//, '');
}
