/** How a build ended; the contract's words. */
export type BuildResult = 'SUCCESS' | 'UNSTABLE' | 'FAILURE' | 'ABORTED';

/** The state of a build. One that is cancelled in the queue is finished without a start. */
type BuildState = 'queued' | 'running' | 'finished';

/** What set a build off: a person or script, an event of a forge, a schedule, another build. */
export type TriggerKind = 'user' | 'webhook' | 'rebuild' | 'schedule';

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
  /** The pull or merge request whose head it is. */
  pullRequest?: PullRequest;
}

/** A pull or merge request as its forge told of it. */
export interface PullRequest {
  number: number;
  /** True where its commits are of another repository, whose authors get no secrets. */
  isFork: boolean;
  /** Name of the branch that it is to be merged into. */
  base?: string;
  /** Name of its own branch. */
  branch?: string;
  title?: string;
}

/** One step as it went. Times are milliseconds since the Unix epoch. */
export interface BuildStep {
  name: string;
  state: 'pending' | 'running' | 'done' | 'warning' | 'failed' | 'skipped';
  startedAt: number | null;
  finishedAt: number | null;
  /** Why it failed or was left out. */
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

/** A file that a build left to be kept. */
export interface Artifact {
  /** Relative to the work directory. */
  path: string;
  /** Bytes. */
  size: number;
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
  kind: TriggerKind;
  triggeredBy: string | null;
  parameters: Record<string, string>;
  source: BuildSource | null;
  steps: BuildStep[];
  tests: TestSummary | null;
  artifacts: Artifact[];
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

/** A build that has begun, or was ended in the queue, which took no time. */
export function asStarted(build: Build): StartedBuild | undefined {
  if (isStarted(build)) {
    return build;
  }
  const { finishedAt } = build;
  return finishedAt === null ? undefined : { ...build, startedAt: finishedAt };
}

/** What is written down when a build is triggered. Times in milliseconds. */
export interface NewBuild {
  job: string;
  cause: string;
  kind?: TriggerKind;
  triggeredBy: string | null;
  parameters: Record<string, string>;
  source: BuildSource | null;
  /** Builds of one group run one after the other. */
  group?: string | null;
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
  artifacts?: Artifact[];
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
