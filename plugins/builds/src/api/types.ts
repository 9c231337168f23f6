/** Identifies a build. */
export interface BuildRef {
  job: string;
  number: number;
}

/** Result of a build. */
export type BuildResult = 'SUCCESS' | 'UNSTABLE' | 'FAILURE' | 'ABORTED';

/** A build in a list. Times are milliseconds since the Unix epoch. */
export interface BuildSummary {
  number: number;
  building: boolean;
  /** True if it only waits for an approval. */
  waiting: boolean;
  /** null while it runs. */
  result: BuildResult | null;
  /** Start time. */
  timestamp: number;
  /** Milliseconds since the start, or the total duration once it has ended. */
  elapsed: number;
  /** The person or program that triggered it. */
  cause: string;
  /** The reason for its result. */
  reason: string | null;
  /** The commit that was built. */
  revision: string | null;
  /** All errors of the pipeline files of its commit. */
  pipelineFaults: (JobFault & { file: string })[];
  /** `#` and its number, unless a person has named it. */
  displayName: string;
  description: string | null;
  /** null unless a person keeps it: then it is not deleted with old builds. */
  kept: Kept | null;
}

/** The person who keeps a build, with the time and an optional reason. */
export interface Kept {
  /** e.g. `user:default/ada` */
  by: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  reason: string | null;
}

/** A parameter for which the user provides a value when running a job. */
export interface ParameterDefinition {
  name: string;
  type:
    | 'StringParameterDefinition'
    | 'TextParameterDefinition'
    | 'BooleanParameterDefinition'
    | 'ChoiceParameterDefinition';
  /**
   * Distinguishes long texts and numbers from other strings; missing if `type` is
   * sufficient.
   */
  kind?: string;
  description: string;
  required: boolean;
  choices?: string[];
  /** The bounds of a number; null without one. */
  minimum?: number | null;
  maximum?: number | null;
  defaultParameterValue: { value: string } | null;
}

/** An error in the file that defines a job. */
export interface JobFault {
  message: string;
  line: number;
  column: number;
}

/** A job in the list. */
export interface JobSummary {
  name: string;
  /** The job whose branch or pull request this job builds. */
  parent: string | null;
  /** Number of the pull request that this job builds. */
  pullRequest: number | null;
  /** The title of the pull request at its last build. */
  pullRequestTitle: string | null;
  /** Path of the file that defines the job. */
  file: string | null;
  /** Errors in the job's file; the job cannot run while there are any. */
  faults: JobFault[];
  /** The person who disabled it; the job of a branch is disabled with its parent. */
  disabledBy: string | null;
  description: string | null;
  /** Entity reference of the owning group. */
  owner: string | null;
  /** True if the reader may run it. */
  triggerable: boolean;
  inQueue: boolean;
  /** Its last push, if the message said not to build it and no newer push was built. */
  skipped: SkippedPush | null;
  lastBuild: BuildSummary | null;
  /** Newest first. */
  recentBuilds: BuildSummary[];
  parameterDefinitions: ParameterDefinition[];
}

/** A push that was not built because its message contains `[skip ci]`. */
interface SkippedPush {
  commit: string | null;
  /** The first line of the message. */
  title: string;
  ref: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** Returns whether the reader can run a job now: they may, it is enabled, and its file has no errors. */
export function isRunnable(
  job: Pick<JobSummary, 'triggerable' | 'faults' | 'disabledBy'>,
): boolean {
  return job.triggerable && job.faults.length === 0 && job.disabledBy === null;
}

/** A job with up to 100 builds, newest first. */
export interface JobDetails extends JobSummary {
  /** Address in the API of the build server, with a slash at the end. */
  url: string;
  /** True if the reader may disable and enable it. */
  manageable: boolean;
  builds: BuildSummary[];
  /** Builds that people keep, newest first; some may be older than `builds`. */
  keptBuilds: BuildSummary[];
  /** The number of builds that people keep. */
  keptCount: number;
  /** The number of builds that people may keep. */
  maxKeptBuilds: number;
  repository: string | null;
  /** Builds beyond either limit are deleted; without limits all are kept. */
  discardOldBuilds: { keepBuilds?: number; keepDays?: number };
  /** Names of the secrets that are passed to its steps. */
  secrets: string[];
  webhook: Webhook | null;
  /** Cron expressions. */
  schedule: string[];
  /** Time zone of the schedule, e.g. `Europe/Berlin`. */
  timeZone: string;
  nextRunAt: number | null;
  /** Folder of the repository that contains its pipelines. */
  pipelineFolder: string | null;
  /** The job of the repository's main branch, if the pipelines are in the repository. */
  mainBranch: string | null;
}

/** The webhook address for a forge, and the names of the secrets that it needs. */
export interface Webhook {
  url: string;
  token: string;
  signingSecrets: string[];
}

/** A trigger that has not become a build yet. */
export interface QueueItem {
  id: number;
  task: { name: string };
  buildNumber: number;
  /** Reason for the wait. */
  why: string | null;
  /** Position from 1; null in responses about a single item. */
  position: number | null;
  cause: string;
  /** Milliseconds since the Unix epoch. */
  inQueueSince: number;
  cancelled: boolean;
  executable: { number: number } | null;
}

/** One step of a build. Times are milliseconds since the Unix epoch. */
export interface BuildStep {
  name: string;
  /** `waiting`: the step needs a person's decision. */
  state:
    | 'pending'
    | 'running'
    | 'waiting'
    | 'done'
    | 'warning'
    | 'failed'
    | 'skipped';
  /** Indexes of the steps it depends on; missing in builds of older servers. */
  needs?: number[];
  startedAt: number | null;
  finishedAt: number | null;
  message: string | null;
}

/** Test counts and failures of a build. */
export interface TestSummary {
  total: number;
  failed: number;
  skipped: number;
  failures: { suite: string; name: string; message: string }[];
}

/** A file that a build stored. */
export interface Artifact {
  relativePath: string;
  /** Bytes. */
  size: number;
}

/** The pull or merge request whose head commit was built. */
export interface PullRequest {
  number: number;
  title?: string;
  /** The target branch. */
  base?: string;
  branch?: string;
  /** Address of its page at the forge. */
  url?: string;
  /** Full name of the fork, if only that has its commits. */
  fork?: string;
}

/** A build with all of its details. */
export interface BuildDetails extends BuildSummary {
  steps: BuildStep[];
  tests: TestSummary | null;
  artifacts: Artifact[];
  parameters: Record<string, string>;
  ref: string | null;
  /** Author of the commit. */
  author: string | null;
  pullRequest: PullRequest | null;
  /** Number of the build whose passed steps are reused. */
  rerunOf: number | null;
  changeSet: {
    items: { commitId: string; msg: string; author: { fullName: string } }[];
  };
  /** Time at which it was triggered. */
  queuedAt: number;
  /** Estimated total duration in milliseconds; -1 if unknown, and once it has ended. */
  estimatedDuration: number;
  /** True if it runs and nobody has stopped it yet. */
  stoppable: boolean;
  stopRequestedBy: string | null;
}

/** Isolation of build steps from the build server. */
export interface Isolation {
  /** `elsewhere`: builds run in other processes, whose isolation is unknown. */
  kind: 'bubblewrap' | 'none' | 'containers' | 'kubernetes' | 'elsewhere';
  /** Limits on processes and memory; null if there are none. */
  limits: string | null;
  /** Descriptions of what is not isolated, and why. */
  gaps: string[];
}

/** How jobs with a container run. */
export interface ContainerIsolation extends Isolation {
  /** The name and version of what runs containers; null if unknown. */
  engine: string | null;
  /** Why containers cannot run now; the end of a sentence. */
  fault: string | null;
}

/** Isolation of the build server itself, or of an agent. */
export interface ServerIsolation extends Isolation {
  /** null if it runs no containers. */
  containers: ContainerIsolation | null;
}

/** An action on an agent. */
export type AgentChange = 'drain' | 'resume' | 'remove';

/** A program on another machine that runs builds. Times are milliseconds since the Unix epoch. */
export interface Agent {
  id: string;
  name: string;
  labels: string[];
  state: 'active' | 'draining';
  connected: boolean;
  /** Number of concurrent builds. */
  capacity: number;
  running: BuildRef[];
  /** null before its first start. */
  executor: ServerIsolation | null;
  seenAt: number | null;
}

export interface AgentList {
  agents: Agent[];
  /** True if the reader may manage agents. */
  manageable: boolean;
}

/** Options for running a build again. Default: all steps, with the same parameters. */
export interface RebuildOptions {
  /** Runs only the steps that did not pass. */
  only?: 'failed';
  /** Values that replace the previous ones. */
  parameters?: Record<string, string>;
}
