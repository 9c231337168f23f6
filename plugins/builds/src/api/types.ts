/** Names a build. */
export interface BuildRef {
  job: string;
  number: number;
}

/** How a build ended. */
export type BuildResult = 'SUCCESS' | 'UNSTABLE' | 'FAILURE' | 'ABORTED';

/** A build in a list. Times are milliseconds since the Unix epoch. */
export interface BuildSummary {
  number: number;
  building: boolean;
  /** null while it runs. */
  result: BuildResult | null;
  /** When it began. */
  timestamp: number;
  /** Milliseconds so far or altogether. */
  elapsed: number;
  /** The person or program that triggered it. */
  cause: string;
  /** Why it ended as it did. */
  reason: string | null;
}

/** A value that whoever runs a job gives. */
export interface ParameterDefinition {
  name: string;
  type:
    | 'StringParameterDefinition'
    | 'TextParameterDefinition'
    | 'BooleanParameterDefinition'
    | 'ChoiceParameterDefinition';
  /** Tells long texts and numbers from other strings; missing where that is the type. */
  kind?: string;
  description: string;
  required: boolean;
  choices?: string[];
  defaultParameterValue: { value: string } | null;
}

/** An error in the file of a job. */
export interface JobFault {
  message: string;
  line: number;
  column: number;
}

/** A job in the list. */
export interface JobSummary {
  name: string;
  /** The job whose branch or pull request it builds. */
  parent: string | null;
  /** Number of the pull request that it builds. */
  pullRequest: number | null;
  /** The file that describes it. */
  file: string | null;
  /** While there are any, the job cannot be run. */
  faults: JobFault[];
  description: string | null;
  /** Entity reference of the group that owns it. */
  owner: string | null;
  /** True if the reader may run it. */
  triggerable: boolean;
  inQueue: boolean;
  lastBuild: BuildSummary | null;
  /** Newest first. */
  recentBuilds: BuildSummary[];
  parameterDefinitions: ParameterDefinition[];
}

/** A job with up to a hundred builds, newest first. */
export interface JobDetails extends JobSummary {
  builds: BuildSummary[];
  repository: string | null;
  /** Builds behind either bound are removed; without bounds all are kept. */
  discardOldBuilds: { keepBuilds?: number; keepDays?: number };
  /** Names of the secrets that its steps are given. */
  secrets: string[];
  webhook: Webhook | null;
  /** Cron expressions. */
  schedule: string[];
  nextRunAt: number | null;
  /** Folder of the repository that holds its pipelines. */
  pipelineFolder: string | null;
}

/** The address to which a forge sends events, and the names of the secrets that it needs. */
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
  /** What it waits for. */
  why: string | null;
  /** From 1; null in answers about a single item. */
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
  /** A step that is waiting needs a person's decision. */
  state:
    | 'pending'
    | 'running'
    | 'waiting'
    | 'done'
    | 'warning'
    | 'failed'
    | 'skipped';
  /** Positions of the steps before it; missing in builds of older servers. */
  needs?: number[];
  startedAt: number | null;
  finishedAt: number | null;
  message: string | null;
}

/** What tests came to. */
export interface TestSummary {
  total: number;
  failed: number;
  skipped: number;
  failures: { suite: string; name: string; message: string }[];
}

/** A file that a build has kept. */
export interface Artifact {
  relativePath: string;
  /** Bytes. */
  size: number;
}

/** The pull or merge request whose head a build is of. */
export interface PullRequest {
  number: number;
  title?: string;
  /** The branch that it is to be merged into. */
  base?: string;
  branch?: string;
  /** Its page at the forge. */
  url?: string;
}

/** A build with all that is known of it. */
export interface BuildDetails extends BuildSummary {
  steps: BuildStep[];
  tests: TestSummary | null;
  artifacts: Artifact[];
  parameters: Record<string, string>;
  /** The commit that was built. */
  revision: string | null;
  ref: string | null;
  /** Author of the commit. */
  author: string | null;
  pullRequest: PullRequest | null;
  /** Number of the build whose passed steps it keeps. */
  rerunOf: number | null;
  changeSet: {
    items: { commitId: string; msg: string; author: { fullName: string } }[];
  };
  /** When it was triggered. */
  queuedAt: number;
  /** True if the build can be stopped. */
  stoppable: boolean;
  stopRequestedBy: string | null;
}

/** What keeps the steps of builds apart from the build server. */
export interface Isolation {
  /** `elsewhere`: builds run in processes that were not asked. */
  kind: 'bubblewrap' | 'none' | 'containers' | 'kubernetes' | 'elsewhere';
  /** What limits processes and memory; null if nothing does. */
  limits: string | null;
  /** What is not kept apart, and why; sentences. */
  gaps: string[];
}

/** What may be done to an agent. */
export type AgentChange = 'drain' | 'resume' | 'remove';

/** A program on another machine that runs builds. Times are milliseconds since the Unix epoch. */
export interface Agent {
  id: string;
  name: string;
  labels: string[];
  state: 'active' | 'draining';
  connected: boolean;
  /** Concurrent builds. */
  capacity: number;
  running: BuildRef[];
  /** null before its first start. */
  executor: Isolation | null;
  seenAt: number | null;
}

export interface AgentList {
  agents: Agent[];
  /** True if the reader may manage them. */
  manageable: boolean;
}

/** How a build is run again; all of it with the same parameters where nothing is said. */
export interface RebuildOptions {
  /** Keeps what passed. */
  only?: 'failed';
  /** Values in place of those before. */
  parameters?: Record<string, string>;
}
