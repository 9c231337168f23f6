/** The four states of the contract. A start that failed is `Stopped` with a `statusMessage`. */
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
  /** Absolute address of the IDE, on an origin that is never the portal's. */
  ideUrl: string;
  /** `version` is null where the devfile names none. */
  devfile: { name: string; version: string | null };
}

/**
 * A row of the list: the contract's fields and what the portal's table shows beside them.
 * Times are ISO 8601.
 */
export interface WorkspaceListItem extends ContractWorkspace {
  createdAt: string;
  lastUsed: string;
  namespace: string;
  devfileUrl: string;
  editor: WorkspaceEditor | null;
  /** Why the workspace is in this state, where that is worth saying: the cause of a failed start, an idle stop. */
  statusMessage: string | null;
  /** True when the last start failed or the editor ended by a fault; `statusMessage` then says why. */
  failed: boolean;
  /** When an idle workspace will be stopped; null when it is not running or never stops by itself. */
  stopsAt: string | null;
  /** When an unused workspace will be deleted, which its owner has been told; else null. */
  deletesAt: string | null;
}

/** The editor that serves a workspace. */
export interface WorkspaceEditor {
  id: string;
  title: string;
  version: string | null;
}

/** How a workspace is kept apart from other workspaces and from the machine it runs on. */
export interface WorkspaceIsolation {
  /** `bubblewrap`: a sandbox of this machine. `pods`: containers of a cluster. `none`: plain processes of the portal's user. */
  kind: 'bubblewrap' | 'pods' | 'none';
  /** `shared`: the network of the machine it runs on, the platform's own ports included. */
  network: 'own' | 'shared';
  /** null: no limit is held. */
  limits: {
    memoryMebibytes: number | null;
    processes: number | null;
    openFiles: number | null;
  };
  /** What is not kept apart, in sentences for people. */
  gaps: string[];
}

/** The state of one named step of a start. */
export type StartStepState =
  'pending' | 'running' | 'done' | 'warning' | 'failed';

/** One named step of a start, in order. Times are ISO 8601. */
export interface StartStep {
  id: string;
  title: string;
  state: StartStepState;
  /** 0 to 1 where progress is measurable, else null. */
  progress: number | null;
  /** What the step is doing or why it failed; one line. */
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
  /** Address behind the IDE gateway; null for an endpoint that is not reachable by browser. */
  url: string | null;
  /** True when a process of this workspace listens on the port now. */
  listening: boolean;
}

/** A command of the devfile as the workspace offers it. */
export interface WorkspaceCommand {
  id: string;
  label: string;
  kind: 'exec' | 'apply' | 'composite';
  group: string | null;
  commandLine: string | null;
}

/** One workspace in full. */
export interface WorkspaceDetails extends WorkspaceListItem {
  runtime: string;
  isolation: WorkspaceIsolation;
  startedAt: string | null;
  steps: StartStep[];
  /** What the devfile asks for and this runtime does not do. */
  warnings: string[];
  endpoints: WorkspaceEndpoint[];
  commands: WorkspaceCommand[];
}

/** One line of the log of a workspace. `seq` increases by one per line of a workspace. */
export interface WorkspaceLogLine {
  seq: number;
  /** ISO 8601. */
  at: string;
  source: 'slipway' | 'project' | 'command' | 'ide';
  text: string;
}

/** Answer of `GET /workspaces/{id}/logs?after=<seq>`. */
export interface WorkspaceLogs {
  lines: WorkspaceLogLine[];
  /** Pass as `after` to read on. */
  next: number;
}

/** Body of `POST /workspaces`. */
export interface CreateWorkspaceRequest {
  devfileUrl: string;
  namespace?: string;
  name?: string;
  /** Beyond the contract: the name of a starter project of the devfile to begin with. */
  starterProject?: string;
}

/** Answer of `GET /workspaces`. */
export interface WorkspaceList {
  workspaces: WorkspaceListItem[];
  total: number;
}

/** Answer of `POST /workspaces/{id}/ticket`: a one-time address that opens the IDE. */
export interface IdeTicket {
  url: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** One fault of a devfile. `path` is written as `components[0].name`; empty for the whole file. */
export interface DevfileIssue {
  path: string;
  message: string;
}

/** Answer of `POST /devfile/preview`; `devfile` is null when the file could not be used. */
export interface DevfilePreview {
  valid: boolean;
  issues: DevfileIssue[];
  devfile: {
    name: string;
    version: string | null;
    schemaVersion: string;
    description: string | null;
    projects: string[];
    /** What a workspace may begin with, by `starterProject` of its creation. */
    starterProjects: { name: string; description: string | null }[];
    components: { name: string; type: string; detail: string }[];
    commands: WorkspaceCommand[];
    endpoints: { name: string; targetPort: number; exposure: string }[];
  } | null;
  /** What this runtime will not do with the file. */
  warnings: string[];
}

/** A devfile that the configuration offers in the create dialog. */
export interface DevfileSample {
  title: string;
  description: string;
  devfileUrl: string;
}

/** Answer of `GET /options`: what the create dialog and the page need to know. */
export interface WorkspaceOptions {
  samples: DevfileSample[];
  defaultNamespace: string;
  limits: { total: number; running: number };
  usage: { total: number; running: number };
  runtime: {
    kind: string;
    editor: EditorAvailability;
    isolation: WorkspaceIsolation & {
      /** null where workspaces are isolated. */
      acceptance: IsolationAcceptance | null;
    };
  };
  /** Minutes without traffic after which a workspace stops; null when it never does. */
  idleTimeoutMinutes: number | null;
}

/** The consent to workspaces without isolation: given or not, and by whom. */
export interface IsolationAcceptance {
  /** False: no workspace starts until an administrator accepts. */
  accepted: boolean;
  /** Entity ref of the administrator; null where the configuration accepts. */
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

/** Signal channel on which workspace changes are published, to the owner only. */
export const WORKSPACE_SIGNAL_CHANNEL = 'ide-launcher';

/** Message on {@link WORKSPACE_SIGNAL_CHANNEL}. Receivers re-read what they show. */
export interface WorkspaceSignal {
  type: 'changed' | 'deleted' | 'log';
  workspaceId: string;
  status?: WorkspaceStatus;
}
