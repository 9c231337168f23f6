import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { Workspace, WorkspaceChange, WorkspaceSummary } from '../Workspace';

/** A row of the table `workspaces`. */
export interface WorkspaceRow {
  id: string;
  owner: string;
  namespace: string;
  name: string;
  status: string;
  failed: boolean | number;
  status_message: string | null;
  deleting: boolean | number;
  devfile_url: string;
  repository_url: string | null;
  devfile_name: string;
  devfile_version: string | null;
  devfile: string;
  editor: string | null;
  revision: string | null;
  starter_project: string | null;
  steps: string;
  warnings: string;
  /** Null: none. */
  start_warnings: string | null;
  created_at: string;
  started_at: string | null;
  last_used_at: string;
  extended_until: string | null;
  unused_notice_at: string | null;
  imported_from: string | null;
  kept_until: string | null;
}

/** The columns of a {@link WorkspaceSummary}: without the devfile, which long lists do not need. */
export const SUMMARY_COLUMNS = [
  'id',
  'owner',
  'namespace',
  'name',
  'status',
  'failed',
  'status_message',
  'devfile_url',
  'repository_url',
  'devfile_name',
  'devfile_version',
  'editor',
  'created_at',
  'started_at',
  'last_used_at',
  'extended_until',
  'unused_notice_at',
  'imported_from',
  'kept_until',
] as const;

/** The columns of a row for a summary. */
export type SummaryRow = Pick<WorkspaceRow, (typeof SUMMARY_COLUMNS)[number]>;

/** Returns the summary of a row. */
export function toSummary(row: SummaryRow): WorkspaceSummary {
  return {
    id: row.id,
    owner: row.owner,
    namespace: row.namespace,
    name: row.name,
    status: row.status as WorkspaceStatus,
    failed: Boolean(row.failed),
    statusMessage: row.status_message,
    devfileUrl: row.devfile_url,
    repositoryUrl: row.repository_url,
    devfileName: row.devfile_name,
    devfileVersion: row.devfile_version,
    editor: row.editor === null ? null : JSON.parse(row.editor),
    createdAt: row.created_at,
    startedAt: row.started_at,
    lastUsedAt: row.last_used_at,
    extendedUntil: row.extended_until,
    unusedNoticeAt: row.unused_notice_at,
    importedFrom: row.imported_from,
    keptUntil: row.kept_until,
  };
}

/** Returns the workspace of a row. */
export function toWorkspace(row: WorkspaceRow): Workspace {
  return {
    ...toSummary(row),
    devfile: JSON.parse(row.devfile),
    revision: row.revision,
    starterProject: row.starter_project,
    steps: JSON.parse(row.steps),
    warnings: JSON.parse(row.warnings),
    startWarnings:
      row.start_warnings === null ? [] : JSON.parse(row.start_warnings),
  };
}

/** Returns the row of a new workspace. */
export function toRow(workspace: Workspace): WorkspaceRow {
  return {
    id: workspace.id,
    owner: workspace.owner,
    namespace: workspace.namespace,
    name: workspace.name,
    deleting: false,
    repository_url: workspace.repositoryUrl,
    revision: workspace.revision,
    starter_project: workspace.starterProject,
    created_at: workspace.createdAt,
    ...(toChangedColumns(workspace) as Required<ChangedColumns>),
    imported_from: workspace.importedFrom,
  };
}

type ChangedColumns = Partial<
  Pick<
    WorkspaceRow,
    | 'status'
    | 'failed'
    | 'status_message'
    | 'editor'
    | 'devfile'
    | 'devfile_url'
    | 'devfile_name'
    | 'devfile_version'
    | 'steps'
    | 'warnings'
    | 'start_warnings'
    | 'started_at'
    | 'last_used_at'
    | 'extended_until'
    | 'unused_notice_at'
    | 'imported_from'
    | 'kept_until'
  >
>;

/**
 * Returns the columns set by a change; omits fields missing in the change. A workspace that runs leaves
 * its import, because from then on it may contain its owner's work.
 */
export function toChangedColumns(change: WorkspaceChange): ChangedColumns {
  const columns: ChangedColumns = {
    status: change.status,
    failed: change.failed,
    // PostgreSQL cannot store NUL characters.
    status_message:
      change.statusMessage && change.statusMessage.replaceAll('\0', ''),
    editor: change.editor && JSON.stringify(change.editor),
    devfile: change.devfile && JSON.stringify(change.devfile),
    devfile_url: change.devfileUrl,
    devfile_name: change.devfile?.metadata.name,
    devfile_version: change.devfile?.metadata.version,
    steps: change.steps && JSON.stringify(change.steps),
    warnings: change.warnings && JSON.stringify(change.warnings),
    start_warnings:
      change.startWarnings && JSON.stringify(change.startWarnings),
    started_at: change.startedAt,
    last_used_at: change.lastUsedAt,
    extended_until: change.extendedUntil,
    unused_notice_at: change.unusedNoticeAt,
    imported_from: change.status === 'Running' ? null : undefined,
    kept_until: change.keptUntil,
  };
  return Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined),
  );
}
