import { createApiRef } from '@backstage/frontend-plugin-api';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** Names a build. */
export interface BuildRef {
  job: string;
  number: number;
}

/**
 * Reads and runs builds. Every method rejects with a `ResponseError` when the answer is
 * not 2xx, and with a `TypeError` when there was none.
 */
export interface BuildsApi {
  getJobs(options?: CallOptions): Promise<JobSummary[]>;
  getJob(name: string, options?: CallOptions): Promise<JobDetails>;
  getIsolation(options?: CallOptions): Promise<Isolation>;
  getQueue(options?: CallOptions): Promise<QueueItem[]>;
  getBuild(build: BuildRef, options?: CallOptions): Promise<BuildDetails>;
  /** @param start - in bytes; where the part before ended. */
  getLog(
    build: BuildRef,
    start: number,
    options?: CallOptions,
  ): Promise<LogPart>;
  /** Queues a build. @returns the item, which knows the number that the build will have. */
  runJob(name: string, parameters: Record<string, string>): Promise<QueueItem>;
  /** Queues the same commit with the same parameters again. @returns as of a run. */
  rebuild(build: BuildRef): Promise<QueueItem>;
  stopBuild(build: BuildRef): Promise<void>;
  /** Takes a build out of the queue. */
  cancelItem(id: number): Promise<void>;
  /** The whole log. */
  downloadLog(build: BuildRef): Promise<Blob>;
  downloadArtifact(build: BuildRef, path: string): Promise<Blob>;
}

/** {@link BuildsApi} */
export const buildsApiRef = createApiRef<BuildsApi>().with({
  id: 'plugin.builds.client',
  pluginId: 'builds',
});

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
    | 'BooleanParameterDefinition'
    | 'ChoiceParameterDefinition';
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
}

/** A trigger that has not become a build yet. */
export interface QueueItem {
  id: number;
  task: { name: string };
  buildNumber: number;
  /** What it waits for. */
  why: string | null;
  cause: string;
  /** Milliseconds since the Unix epoch. */
  inQueueSince: number;
  cancelled: boolean;
  executable: { number: number } | null;
}

/** One step of a build. Times are milliseconds since the Unix epoch. */
export interface BuildStep {
  name: string;
  state: 'pending' | 'running' | 'done' | 'warning' | 'failed' | 'skipped';
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

/** A build with all that is known of it. */
export interface BuildDetails extends BuildSummary {
  steps: BuildStep[];
  tests: TestSummary | null;
  artifacts: Artifact[];
  parameters: Record<string, string>;
  /** The commit that was built. */
  revision: string | null;
  ref: string | null;
  changeSet: {
    items: { commitId: string; msg: string; author: { fullName: string } }[];
  };
  /** When it was triggered. */
  queuedAt: number;
  /** True if the build can be stopped. */
  stoppable: boolean;
  stopRequestedBy: string | null;
}

/** A part of a log. */
export interface LogPart {
  text: string;
  /** Offset of the next part, in bytes. */
  end: number;
  /** True if there is or will be more. */
  more: boolean;
}

/** What keeps the steps of builds apart from the build server. */
export interface Isolation {
  /** `elsewhere`: builds run in processes that were not asked. */
  kind: 'bubblewrap' | 'none' | 'elsewhere';
  /** What is not kept apart, and why; sentences. */
  gaps: string[];
}
