import { Workspace, WorkspaceChange, WorkspaceSummary } from '../Workspace';

/** Columns of a row of the table `workspaces`. */
type Columns = Record<string, string | number | boolean | null>;

/** A row of the table `workspaces`. */
export type WorkspaceRow = Columns & { id: string };

/** The columns of a {@link WorkspaceSummary}: without the devfile, which long lists do not need. */
const SUMMARY_COLUMNS = {
  id: 'id',
  owner: 'owner',
  namespace: 'namespace',
  name: 'name',
  status: 'status',
  failed: 'failed',
  statusMessage: 'status_message',
  devfileUrl: 'devfile_url',
  repositoryUrl: 'repository_url',
  devfileName: 'devfile_name',
  devfileVersion: 'devfile_version',
  editor: 'editor',
  createdAt: 'created_at',
  startedAt: 'started_at',
  lastUsedAt: 'last_used_at',
  extendedUntil: 'extended_until',
  unusedNoticeAt: 'unused_notice_at',
  importedFrom: 'imported_from',
  keptUntil: 'kept_until',
} satisfies Record<keyof WorkspaceSummary, string>;

/** The columns of a {@link Workspace}. */
const COLUMNS = {
  ...SUMMARY_COLUMNS,
  devfile: 'devfile',
  revision: 'revision',
  starterProject: 'starter_project',
  steps: 'steps',
  warnings: 'warnings',
  startWarnings: 'start_warnings',
} satisfies Record<keyof Workspace, string>;

/** The names of the columns of a summary. */
export const SUMMARY_COLUMN_NAMES = Object.values(SUMMARY_COLUMNS);

/** The fields with their columns; computed only once, because there may be thousands of rows. */
const SUMMARY_FIELDS = Object.entries(SUMMARY_COLUMNS);
const FIELDS = Object.entries(COLUMNS) as [keyof Workspace, string][];

/** The fields stored as JSON. */
const JSON_FIELDS = new Set<string>([
  'editor',
  'devfile',
  'steps',
  'warnings',
  'startWarnings',
] satisfies (keyof Workspace)[]);

function readFields(row: Columns, fields: [name: string, column: string][]) {
  return Object.fromEntries(
    fields.map(([field, column]) => {
      const value = row[column];
      return [
        field,
        JSON_FIELDS.has(field) && value !== null
          ? JSON.parse(String(value))
          : value,
      ];
    }),
  );
}

/** Returns the summary of a row. */
export function toSummary(row: Columns): WorkspaceSummary {
  const fields = readFields(row, SUMMARY_FIELDS) as WorkspaceSummary;
  // SQLite stores booleans as numbers.
  return { ...fields, failed: Boolean(row.failed) };
}

/** Returns the workspace of a row. */
export function toWorkspace(row: Columns): Workspace {
  const fields = readFields(row, FIELDS) as Workspace;
  return {
    ...fields,
    failed: Boolean(row.failed),
    // Null in the rows of earlier versions.
    startWarnings: fields.startWarnings ?? [],
  };
}

/** Returns the row of a new workspace. */
export function toRow(workspace: Workspace): WorkspaceRow {
  return { ...toColumns(workspace), id: workspace.id, deleting: false };
}

/**
 * Returns the columns set by a change; omits fields missing in the change. A workspace that runs leaves
 * its import, because from then on it may contain its owner's work.
 */
export function toChangedColumns(change: WorkspaceChange): Columns {
  const { devfile, status } = change;
  return toColumns({
    ...change,
    ...(devfile && {
      devfileName: devfile.metadata.name,
      devfileVersion: devfile.metadata.version,
    }),
    ...(status === 'Running' && { importedFrom: null }),
  });
}

function toColumns(fields: Partial<Workspace>): Columns {
  return Object.fromEntries(
    FIELDS.filter(([field]) => fields[field] !== undefined).map(
      ([field, column]) => [column, toValue(field, fields[field])],
    ),
  );
}

function toValue(field: keyof Workspace, value: unknown): Columns[string] {
  if (JSON_FIELDS.has(field) && value !== null) {
    return JSON.stringify(value);
  }
  // PostgreSQL cannot store NUL characters.
  return typeof value === 'string'
    ? value.replaceAll('\0', '')
    : (value as boolean | null);
}
