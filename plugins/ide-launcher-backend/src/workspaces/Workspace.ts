import {
  StartStep,
  WorkspaceEditor,
  WorkspaceLogLine,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { Devfile } from '../devfile/types';

/** A workspace as lists need it. Timestamps are ISO 8601 in UTC with milliseconds. */
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
  devfileName: string;
  devfileVersion: string | null;
  editor: WorkspaceEditor | null;
  createdAt: string;
  startedAt: string | null;
  lastUsedAt: string;
  /** An idle workspace stays up until then at least; set by the Extend button. */
  extendedUntil: string | null;
  /** When the owner was told that it is unused and will be deleted. */
  unusedNoticeAt: string | null;
}

/** A workspace in full. */
export interface Workspace extends WorkspaceSummary {
  devfile: Devfile;
  steps: StartStep[];
  warnings: string[];
}

/** What may change after creation. */
export type WorkspaceChange = Partial<
  Pick<
    Workspace,
    | 'status'
    | 'failed'
    | 'statusMessage'
    | 'editor'
    | 'steps'
    | 'warnings'
    | 'startedAt'
    | 'lastUsedAt'
    | 'extendedUntil'
    | 'unusedNoticeAt'
  >
>;

/** A log line before the store gives it its number. */
export type NewLogLine = Omit<WorkspaceLogLine, 'seq'>;
