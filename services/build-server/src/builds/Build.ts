/** The result of a build, in the contract's terms. */
export type BuildResult = 'SUCCESS' | 'UNSTABLE' | 'FAILURE' | 'ABORTED';

/** The state of a build. A build cancelled in the queue is finished without having started. */
type BuildState = 'queued' | 'running' | 'finished';

/** The kind of trigger: a person or script, an event of a forge, a schedule, another build. */
export type TriggerKind =
  'user' | 'webhook' | 'rebuild' | 'schedule' | 'upstream';

/** A commit as described by a push event. */
export interface Commit {
  id: string;
  message: string;
  author: string;
  /** The author's address as given in the commit, unverified. Used only for mail, never shown. */
  email?: string;
}

/** The revision to build. */
export interface BuildSource {
  /** The full name of the repository at its forge, e.g. `shop/payments-api`. */
  repository?: string;
  /** e.g. `refs/heads/main` */
  ref?: string;
  before?: string;
  /** The commit, from a push or found by the checkout. */
  after?: string;
  commits: Commit[];
  /** The pull or merge request of which it is the head. */
  pullRequest?: PullRequest;
}

/** A pull or merge request as described by its forge's event. */
export interface PullRequest {
  number: number;
  /** True if its commits come from another repository, whose authors get no secrets. */
  isFork: boolean;
  /** Name of the target branch. */
  base?: string;
  /** Name of the source branch. */
  branch?: string;
  title?: string;
  /** Its page at the forge. */
  url?: string;
  /** Full name of the fork, if only that has its commits. */
  fork?: string;
}

/** The states of steps; a waiting step needs a person's decision. */
export const STEP_STATES = [
  'pending',
  'running',
  'waiting',
  'done',
  'warning',
  'failed',
  'skipped',
] as const;
export type StepState = (typeof STEP_STATES)[number];

/** The reason given for a step skipped by its condition. */
export const UNMET = 'Its condition is not met';

/** The progress of one step. Times are milliseconds since the Unix epoch. */
export interface BuildStep {
  name: string;
  state: StepState;
  startedAt: number | null;
  finishedAt: number | null;
  /** Reason why it failed or was skipped. */
  message: string | null;
  /** Positions of the steps it depends on. */
  needs?: number[];
  /**
   * All faults of the pipeline file after which the step is named; lines and columns count from 1.
   */
  faults?: { message: string; line: number; column: number }[];
}

/** Checks whether no step of a build runs, and at least one waits for a person. */
export function onlyWaits(steps: readonly BuildStep[]): boolean {
  return (
    steps.some(({ state }) => state === 'waiting') &&
    !steps.some(({ state }) => state === 'running')
  );
}

/** The outcome of a test; a flaky test failed, then passed when retried in the same build. */
export type TestOutcome = 'passed' | 'failed' | 'skipped' | 'flaky';

/** One test case of a report. */
export interface TestCase {
  suite: string;
  name: string;
  outcome: TestOutcome;
  durationMs: number;
}

/** The totals of test reports. */
export interface TestSummary {
  total: number;
  failed: number;
  skipped: number;
  /** Every test case, for the test history; not stored with the build. */
  cases?: TestCase[];
  /** The first hundred of the failed test cases. */
  failures: { suite: string; name: string; message: string }[];
}

/** A file stored with a build. */
export interface Artifact {
  /** Relative to the work directory. */
  path: string;
  /** Bytes. */
  size: number;
}

/** The parts of an earlier build of the same commit that are reused. */
export interface Rerun {
  /** Number of the earlier build. */
  number: number;
  /** Names of its steps that passed. */
  passed: string[];
}

/** A build of another job that triggered one. */
export interface Upstream {
  job: string;
  number: number;
  /** The number of upstream builds in the chain. */
  depth: number;
  /** The jobs of these builds, oldest first; missing in builds of earlier versions. */
  chain?: string[];
}

/** A person's request to keep a build, which exempts it from the deletion of old builds. */
export interface Kept {
  /** e.g. `user:default/ada` */
  by: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  reason: string | null;
}

/** The name and description that people give a build. */
export interface AboutBuild {
  /** Shown beside its number. */
  displayName: string | null;
  description: string | null;
}

/** A trigger and its build. Times are milliseconds since the Unix epoch. */
export interface Build {
  /** Also the number of its queue item. */
  id: number;
  job: string;
  /** Reserved at the time of the trigger. */
  number: number;
  state: BuildState;
  result: BuildResult | null;
  /** Reason for its result, if its steps do not show it. */
  reason: string | null;
  /** A sentence that says who or what triggered the build. */
  cause: string;
  kind: TriggerKind;
  triggeredBy: string | null;
  parameters: Record<string, string>;
  source: BuildSource | null;
  /** Set if only the steps that failed before run again. */
  rerun: Rerun | null;
  /** The build of another job that triggered it. */
  upstream: Upstream | null;
  /** Its steps so far. Empty while queued, unless its process ended while it waited for a person. */
  steps: BuildStep[];
  tests: TestSummary | null;
  artifacts: Artifact[];
  queuedAt: number;
  /** The build does not start before this time. */
  dueAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  attempt: number;
  worker: string | null;
  /** Name of the agent that runs or ran it; null for the server itself. */
  builtOn: string | null;
  stopRequestedBy: string | null;
  /** null unless a person keeps it. */
  kept: Kept | null;
  /** null unless a person has named or described it. */
  about: AboutBuild | null;
}

/** A build that has started. */
export type StartedBuild = Build & { startedAt: number };

/** Checks whether a build has started. Always false for a build cancelled in the queue. */
export function isStarted(build: Build): build is StartedBuild {
  return build.startedAt !== null;
}

/** Checks whether an earlier attempt of a build ran steps, so that its files still exist. */
export function isResumed({ steps }: StartedBuild): boolean {
  return steps.length > 0;
}

/** Returns a build that has started; one cancelled in the queue counts with a duration of zero. */
export function asStarted(build: Build): StartedBuild | undefined {
  if (isStarted(build)) {
    return build;
  }
  const { finishedAt } = build;
  return finishedAt === null ? undefined : { ...build, startedAt: finishedAt };
}

/** The data of a new trigger. Times are in milliseconds. */
export interface NewBuild {
  job: string;
  cause: string;
  kind?: TriggerKind;
  triggeredBy: string | null;
  parameters: Record<string, string>;
  source: BuildSource | null;
  rerun?: Rerun | null;
  upstream?: Upstream | null;
  /** Builds of one group run one after another. */
  group?: string | null;
  /** The sender's id for this trigger; repeated ids give the same build. */
  delivery: string | null;
  queuedAt: number;
  dueAt: number;
  /** True to reuse a waiting build with the same parameters and source. */
  joinsWaiting: boolean;
}

/** One process's ownership of one attempt of a build; the attempt is the fencing number. */
export interface Claim {
  id: number;
  worker: string;
  attempt: number;
}

/** A running build whose process may be gone. */
export interface RunningClaim extends Claim {
  isAccepted: boolean;
  lostAttempts: number;
  /** The user who has requested its end. */
  stopRequestedBy: string | null;
  /** True if it only waits for a person. */
  isWaiting: boolean;
}

/** The state of a running build so far. */
export interface BuildProgress {
  steps: BuildStep[];
  source?: BuildSource | null;
}

/** The outcome of a build. */
export interface BuildOutcome extends BuildProgress {
  result: BuildResult;
  reason: string | null;
  tests: TestSummary | null;
  artifacts?: Artifact[];
  /** Milliseconds since the Unix epoch. */
  finishedAt: number;
}

/** A running build owned by a process. */
export interface HeldBuild {
  id: number;
  attempt: number;
  stopRequestedBy: string | null;
}

/** Returns the path of the page of a job, or of one of its builds, below the portal's address. */
export function pageOf({
  job,
  number,
}: {
  job: string;
  number?: number | string;
}): string {
  const page = `/builds/${encodeURIComponent(job)}`;
  return number === undefined ? page : `${page}/${number}`;
}

/** Shortens the name of a user for display: `user:default/ada` becomes `ada`. */
export function shortName(by: string): string {
  return by.replace(/^user:default\//, '');
}
