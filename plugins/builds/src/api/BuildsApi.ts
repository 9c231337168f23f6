import { createApiRef } from '@backstage/frontend-plugin-api';
import type {
  BuildDetails,
  Isolation,
  JobDetails,
  JobSummary,
  LogPart,
  QueueItem,
} from './types';

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
}

/** {@link BuildsApi} */
export const buildsApiRef = createApiRef<BuildsApi>().with({
  id: 'plugin.builds.client',
  pluginId: 'builds',
});
