import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';
import type { Approval, Decision } from './approvals';
import type { LogLine, LogMatches, LogOutline, LogWindow } from './log';
import type { SecretChange, SecretList } from './secrets';
import type { TestList, TestQuery, TestRunHistory } from './tests';
import type {
  AgentChange,
  AgentList,
  BuildDetails,
  BuildRef,
  JobDetails,
  JobSummary,
  QueueItem,
  RebuildOptions,
  ServerIsolation,
} from './types';
import type { UsageReport } from './usage';

/**
 * Reads and runs builds. Every method rejects with a `ResponseError` if the response is
 * not 2xx, and with a `TypeError` if there was no response.
 */
export interface BuildsApi {
  getJobs(options?: CallOptions): Promise<JobSummary[]>;
  getJob(name: string, options?: CallOptions): Promise<JobDetails>;
  getIsolation(options?: CallOptions): Promise<ServerIsolation>;
  getQueue(options?: CallOptions): Promise<QueueItem[]>;
  getBuild(build: BuildRef, options?: CallOptions): Promise<BuildDetails>;
  getLogOutline(build: BuildRef, options?: CallOptions): Promise<LogOutline>;
  getLogLines(
    build: BuildRef,
    window: LogWindow,
    options?: CallOptions,
  ): Promise<LogLine[]>;
  searchLog(
    build: BuildRef,
    text: string,
    options?: CallOptions,
  ): Promise<LogMatches>;
  getTests(
    build: BuildRef,
    query: TestQuery,
    options?: CallOptions,
  ): Promise<TestList>;
  /** @param id - id of a test, in any build of the job. */
  getTest(
    job: string,
    id: string,
    options?: CallOptions,
  ): Promise<TestRunHistory>;
  getApprovals(build: BuildRef, options?: CallOptions): Promise<Approval[]>;
  decide(build: BuildRef, decision: Decision): Promise<void>;
  /** Reads the file that defines a job. */
  getJobFile(
    name: string,
    options?: CallOptions,
  ): Promise<{ file: string; text: string }>;
  /** Disables or enables a job. */
  setJobEnabled(name: string, isEnabled: boolean): Promise<void>;
  /** Queues a build. @returns the queue item, which has the number of the future build. */
  runJob(name: string, parameters: Record<string, string>): Promise<QueueItem>;
  /**
   * Queues a build of the same commit.
   *
   * @returns the queue item, as {@link runJob} does.
   */
  rebuild(build: BuildRef, how?: RebuildOptions): Promise<QueueItem>;
  stopBuild(build: BuildRef): Promise<void>;
  /** Names and describes a build; empty texts remove the earlier ones. */
  describeBuild(
    build: BuildRef,
    about: { displayName: string; description: string },
  ): Promise<void>;
  /** Exempts a build from the deletion of old builds. @param reason - may be empty. */
  keepBuild(build: BuildRef, reason: string): Promise<void>;
  stopKeeping(build: BuildRef): Promise<void>;
  /** Removes a build from the queue. */
  cancelItem(id: number): Promise<void>;
  getAgents(options?: CallOptions): Promise<AgentList>;
  /** Invites an agent. @returns a one-time token that enrols it. */
  inviteAgent(labels: readonly string[]): Promise<string>;
  changeAgent(id: string, change: AgentChange): Promise<void>;
  /** Lists the secrets of builds; admins only. */
  getSecrets(options?: CallOptions): Promise<SecretList>;
  putSecret(secret: SecretChange): Promise<void>;
  removeSecret(name: string): Promise<void>;
  /** Reads the usage of builds on a range of UTC days, both inclusive; admins only. */
  getUsage(
    days: { from: string; to: string },
    options?: CallOptions,
  ): Promise<UsageReport>;
  /** Downloads the complete log. */
  downloadLog(build: BuildRef): Promise<Blob>;
  downloadArtifact(build: BuildRef, path: string): Promise<Blob>;
}

/** {@link BuildsApi} */
export const buildsApiRef = createApiRef<BuildsApi>().with({
  id: 'plugin.builds.client',
  pluginId: 'builds',
});

export type * from './approvals';
export type * from './log';
export type * from './secrets';
export type * from './tests';
export type * from './types';
export type * from './usage';
