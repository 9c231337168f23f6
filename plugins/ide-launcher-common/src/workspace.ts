/** The four states of the contract. A failed start is `Stopped` with a `statusMessage`. */
export const WORKSPACE_STATUSES = [
  'Starting',
  'Running',
  'Stopping',
  'Stopped',
] as const;

/** One of {@link WORKSPACE_STATUSES}. */
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** The contract's fields of a workspace. Timestamps are ISO 8601 in UTC with milliseconds. */
export interface ContractWorkspace {
  workspaceId: string;
  name: string;
  status: WorkspaceStatus;
  /** Absolute URL of the IDE, on an origin that is never the portal's. */
  ideUrl: string;
  /** `version` is null if the devfile has none. */
  devfile: { name: string; version: string | null };
}

/** A list item: the contract's fields and additional ones for the portal's table. Times are ISO 8601. */
export interface WorkspaceListItem extends ContractWorkspace {
  createdAt: string;
  lastUsed: string;
  namespace: string;
  /** Address of the devfile; `repositoryUrl` if the built-in devfile is used. */
  devfileUrl: string;
  /** Address of the repository that it was created from; null if it was created from a devfile. */
  repositoryUrl: string | null;
  editor: WorkspaceEditor | null;
  /** Reason for the current state, if relevant: the cause of a failed start, an idle stop. */
  statusMessage: string | null;
  /** True if the last start failed or the editor crashed; `statusMessage` contains the reason. */
  failed: boolean;
  /**
   * Time at which an idle workspace will be stopped; null if it is not running or never stops
   * automatically.
   */
  stopsAt: string | null;
  /**
   * Time at which the workspace will be deleted, because it is unused and its owner was notified, or
   * because its importer chose that time; otherwise null.
   */
  deletesAt: string | null;
  /** The source of an imported workspace that has never run; null once it has. */
  importedFrom: string | null;
}

/** The editor of a workspace. */
export interface WorkspaceEditor {
  id: string;
  title: string;
  version: string | null;
}

/** Isolation of a workspace from other workspaces and from its host. */
export interface WorkspaceIsolation {
  /**
   * `bubblewrap`: a sandbox on this machine. `pods`: containers in a cluster. `none`: plain
   * processes of the portal's user.
   */
  kind: 'bubblewrap' | 'pods' | 'none';
  /** `shared`: the network of its host, including the platform's own ports. */
  network: 'own' | 'shared';
  /** null: no limit is enforced. */
  limits: {
    memoryMebibytes: number | null;
    processes: number | null;
    openFiles: number | null;
  };
  /** What is not isolated, as sentences for users. */
  gaps: string[];
}

/** The state of one step of a start. */
export type StartStepState =
  'pending' | 'running' | 'done' | 'warning' | 'failed';

/** One step of a start, in order. Times are ISO 8601. */
export interface StartStep {
  id: string;
  title: string;
  state: StartStepState;
  /** 0 to 1 if progress is measurable, otherwise null. */
  progress: number | null;
  /** The current activity or the cause of a failure, in one line. */
  message: string | null;
  startedAt: string | null;
  endedAt: string | null;
}

/** A devfile endpoint of a workspace. */
export interface WorkspaceEndpoint {
  name: string;
  component: string;
  targetPort: number;
  protocol: string;
  exposure: 'public' | 'internal' | 'none';
  /** URL at the IDE gateway; null for an endpoint that browsers cannot reach. */
  url: string | null;
  /** True if a process of this workspace is listening on the port. */
  listening: boolean;
}

/** A command of the devfile in a workspace. */
export interface WorkspaceCommand {
  id: string;
  label: string;
  kind: 'exec' | 'apply' | 'composite';
  group: string | null;
  commandLine: string | null;
}

/** A workspace with all fields. */
export interface WorkspaceDetails extends WorkspaceListItem {
  /** The branch, tag or commit chosen at its creation; null if none was chosen. */
  revision: string | null;
  /** Name of the starter project chosen from the devfile; null if none was chosen. */
  starterProject: string | null;
  runtime: string;
  isolation: WorkspaceIsolation;
  startedAt: string | null;
  steps: StartStep[];
  /** Parts of the devfile that this runtime does not support. */
  warnings: string[];
  endpoints: WorkspaceEndpoint[];
  commands: WorkspaceCommand[];
}

/** One line of the log of a workspace. `seq` increases by one per line. */
export interface WorkspaceLogLine {
  seq: number;
  /** ISO 8601. */
  at: string;
  source: 'slipway' | 'project' | 'command' | 'ide';
  text: string;
}

/** Response of `GET /workspaces/{id}/logs?after=<seq>`. */
export interface WorkspaceLogs {
  lines: WorkspaceLogLine[];
  /** Pass as `after` to continue. */
  next: number;
}

/**
 * Body of `POST /workspaces`. Beyond the contract, `repositoryUrl` can be used instead of `devfileUrl`:
 * the address of a repository, or of a branch, tag or commit in it, whose devfile is used.
 */
export type CreateWorkspaceRequest = (
  | { devfileUrl: string; repositoryUrl?: undefined }
  | { repositoryUrl: string; devfileUrl?: undefined }
) & {
  namespace?: string;
  name?: string;
  /** Beyond the contract: the name of a starter project of the devfile. */
  starterProject?: string;
  /** Beyond the contract: the branch, tag or commit of the first Git project, or of the repository. */
  revision?: string;
};

/** A workspace of an import: stopped, and without files until its owner starts it. */
export interface ImportedWorkspace {
  /** Entity ref of a user. */
  owner: string;
  name: string;
  devfileUrl: string;
  /** Content of the devfile; read from `devfileUrl` if missing. */
  devfile?: string;
  /** Branch, tag or commit of the first Git project. */
  revision?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUsed: string;
  /** The status message until the first start. */
  note?: string;
  /** ISO 8601; if missing, the workspace is kept until its owner or the importer deletes it. */
  deletesAt?: string;
}

/** Body of `POST /imports`, for admins. */
export interface WorkspaceImport {
  /** Identifies the import, e.g. the tool from which the workspaces come. */
  source: string;
  workspaces: ImportedWorkspace[];
}

/** Response of `POST /imports`. */
export interface WorkspaceImportResult {
  imported: number;
  /** Workspaces that were not imported because their owner already had one with that name. */
  skipped: { owner: string; name: string }[];
}

/** Response of `GET /workspaces`. */
export interface WorkspaceList {
  workspaces: WorkspaceListItem[];
  total: number;
}

/** Response of `POST /workspaces/{id}/ticket`: a one-time URL that opens the IDE. */
export interface IdeTicket {
  url: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** One error in a devfile. `path` has the format `components[0].name`; empty for the whole file. */
export interface DevfileIssue {
  path: string;
  message: string;
}

/** A repository that a workspace can be created from. */
export interface PreviewedRepository {
  name: string;
  /** Address of its page. */
  url: string;
  /** Branch, tag or commit; null for the default branch. */
  revision: string | null;
  /** Its devfile; null if it has none, in which case the default devfile is used. */
  devfile: { file: string; url: string } | null;
}

/** Response of `POST /devfile/preview`; `devfile` is null if the file is invalid. */
export interface DevfilePreview {
  valid: boolean;
  issues: DevfileIssue[];
  /** Null if the address does not name a readable repository. */
  repository: PreviewedRepository | null;
  devfile: {
    name: string;
    version: string | null;
    schemaVersion: string;
    description: string | null;
    projects: string[];
    /** Starter projects, selected with `starterProject` on creation. */
    starterProjects: { name: string; description: string | null }[];
    components: { name: string; type: string; detail: string }[];
    commands: WorkspaceCommand[];
    endpoints: { name: string; targetPort: number; exposure: string }[];
  } | null;
  /** Parts of the file that this runtime does not support. */
  warnings: string[];
}

/** A sample devfile configured for the create dialog. */
export interface DevfileSample {
  title: string;
  description: string;
  devfileUrl: string;
}

/** Response of `GET /options`: data for the create dialog and the Workspaces page. */
export interface WorkspaceOptions {
  samples: DevfileSample[];
  defaultNamespace: string;
  limits: { total: number; running: number };
  usage: { total: number; running: number };
  runtime: {
    kind: string;
    editor: EditorAvailability;
    isolation: WorkspaceIsolation & {
      /** null if workspaces are isolated. */
      acceptance: IsolationAcceptance | null;
    };
  };
  /** Minutes without use after which a workspace stops; null if it never does. */
  idleTimeoutMinutes: number | null;
}

/** The state of the consent to workspaces without isolation, and who gave it. */
export interface IsolationAcceptance {
  /** False: no workspace starts until an admin accepts. */
  accepted: boolean;
  /** Entity ref of the admin; null if accepted in the configuration. */
  acceptedBy: string | null;
  /** ISO 8601. */
  acceptedAt: string | null;
}

/** The state of an editor: installed, being installed, or missing. */
export interface EditorAvailability {
  state: 'ready' | 'installing' | 'missing';
  editor: WorkspaceEditor | null;
  /** 0 to 1 while installing. */
  progress: number | null;
  message: string | null;
}

/** Signal channel on which workspace changes are published, only to the owner. */
export const WORKSPACE_SIGNAL_CHANNEL = 'ide-launcher';

/** Message on {@link WORKSPACE_SIGNAL_CHANNEL}. Receivers refetch the displayed data. */
export interface WorkspaceSignal {
  type: 'changed' | 'deleted' | 'log';
  workspaceId: string;
  status?: WorkspaceStatus;
}
