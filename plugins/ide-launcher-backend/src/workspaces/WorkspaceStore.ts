import {
  WorkspaceLogLine,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import {
  NewLogLine,
  Workspace,
  WorkspaceChange,
  WorkspaceSummary,
} from './Workspace';

/** How many workspaces an owner has. */
export interface WorkspaceUsage {
  total: number;
  /** Those that are Starting, Running or Stopping. */
  running: number;
}

/** An administrator's yes to workspaces without isolation. */
export interface IsolationConsentRecord {
  /** Entity ref of the user. */
  givenBy: string;
  /** ISO 8601, UTC. */
  givenAt: string;
}

/** Where workspaces are remembered. Workspaces being deleted are seen by `listDeleting` alone. */
export interface WorkspaceStore {
  /**
   * The namespace becomes the owner's, until their last workspace in it is removed.
   *
   * @throws NotAllowedError when the namespace is another's; ConflictError when it has a workspace of that name.
   */
  insert(workspace: Workspace): Promise<void>;
  /** @returns undefined when the namespace is nobody's. */
  namespaceOwner(name: string): Promise<string | undefined>;
  /** Newest first. */
  listByOwner(
    owner: string,
    filter?: { status?: WorkspaceStatus },
  ): Promise<WorkspaceSummary[]>;
  /** Every workspace whose status is one of these, whoever owns it. */
  listByStatus(statuses: WorkspaceStatus[]): Promise<WorkspaceSummary[]>;
  listIds(): Promise<string[]>;
  /** Ids of workspaces whose deletion was asked for and has not been finished. */
  listDeleting(): Promise<string[]>;
  get(id: string): Promise<Workspace | undefined>;
  /** @param owner - Everybody's without one. */
  usage(owner?: string): Promise<WorkspaceUsage>;
  update(id: string, change: WorkspaceChange): Promise<void>;
  /**
   * Changes a workspace only while its status is one of `from`.
   *
   * @returns false when it was not, or when there is no such workspace.
   */
  transition(
    id: string,
    from: WorkspaceStatus[],
    change: WorkspaceChange,
  ): Promise<boolean>;
  /** Hides a workspace until `remove` ends it; survives a crash in between. */
  markDeleting(id: string): Promise<void>;
  /** Removes a workspace with its log and its IDE grants. */
  remove(id: string): Promise<void>;
  /** Writes what tells nothing. @throws when the database cannot be written. */
  tryWrite(): Promise<void>;
  /** @returns undefined when nobody has accepted. */
  isolationConsent(): Promise<IsolationConsentRecord | undefined>;
  /** Keeps the first one. */
  recordIsolationConsent(consent: IsolationConsentRecord): Promise<void>;
  /** Numbers the lines on; of a long log the oldest are dropped. */
  appendLog(id: string, lines: NewLogLine[]): Promise<void>;
  /** At most `limit` lines with `seq` greater than `after`, oldest first. */
  readLog(
    id: string,
    options: { after: number; limit: number },
  ): Promise<WorkspaceLogLine[]>;
}
