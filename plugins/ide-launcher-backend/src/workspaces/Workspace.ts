import {
  StartStep,
  WorkspaceEditor,
  WorkspaceLogLine,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { Devfile } from '../devfile/types';

/** A workspace in lists. Timestamps are ISO 8601 in UTC with milliseconds. */
export interface WorkspaceSummary {
  id: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
  namespace: string;
  name: string;
  status: WorkspaceStatus;
  failed: boolean;
  statusMessage: string | null;
  devfileUrl: string;
  /** Address of the repository that it was created from; null if it was created from a devfile. */
  repositoryUrl: string | null;
  devfileName: string;
  devfileVersion: string | null;
  editor: WorkspaceEditor | null;
  createdAt: string;
  startedAt: string | null;
  lastUsedAt: string;
  /** Time until which a workspace keeps running even if idle; set by the Extend button. */
  extendedUntil: string | null;
  /** Time at which the owner was notified that it is unused and will be deleted. */
  unusedNoticeAt: string | null;
  /** The source of an imported workspace that has never run, and so has no files; otherwise null. */
  importedFrom: string | null;
  /** Time at which an imported workspace is deleted unless it was started. */
  keptUntil: string | null;
}

/** Fields that determine until when an idle workspace keeps running. */
export type WorkspaceUse = Pick<
  WorkspaceSummary,
  'lastUsedAt' | 'extendedUntil'
>;

/** A workspace with all fields. */
export interface Workspace extends WorkspaceSummary {
  devfile: Devfile;
  /**
   * The branch, tag or commit chosen for the first Git project, or for the repository; null if the one in
   * the devfile, or in the repository's address, is used.
   */
  revision: string | null;
  /** Name of the starter project chosen from the devfile; null for none. */
  starterProject: string | null;
  steps: StartStep[];
  /** Warnings about the devfile, e.g. parts that the runtime does not support. */
  warnings: string[];
  /** Warnings of the latest start, e.g. that a project was not fetched. */
  startWarnings: string[];
}

/** Fields that may change after creation. */
export type WorkspaceChange = Partial<
  Pick<
    Workspace,
    | 'status'
    | 'failed'
    | 'statusMessage'
    | 'editor'
    | 'devfile'
    | 'devfileUrl'
    | 'steps'
    | 'warnings'
    | 'startWarnings'
    | 'startedAt'
    | 'lastUsedAt'
    | 'extendedUntil'
    | 'unusedNoticeAt'
    | 'keptUntil'
  >
>;

/** A log line before the store numbers it. */
export type NewLogLine = Omit<WorkspaceLogLine, 'seq'>;
