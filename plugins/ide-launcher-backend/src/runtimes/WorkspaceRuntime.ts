import { Duplex } from 'node:stream';
import { createExtensionPoint } from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import {
  EditorAvailability,
  StartStep,
  WorkspaceEditor,
  WorkspaceIsolation,
  WorkspaceLogLine,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { Devfile } from '../devfile/types';

/** Matches workspace ids: short enough for a Kubernetes label, and safe as a file name. */
const WORKSPACE_ID = /^workspace-[a-z0-9-]{1,53}$/;

/** Returns whether a text has the format of a workspace id. */
export function isWorkspaceId(text: string): boolean {
  return WORKSPACE_ID.test(text);
}

/** Checks the format of a workspace id. @throws InputError if it is invalid. */
export function checkWorkspaceId(text: string): void {
  if (!isWorkspaceId(text)) {
    throw new InputError(`Not a workspace id: ${JSON.stringify(text)}`);
  }
}

/** The author of the commits made in a workspace. */
export interface CommitAuthor {
  name: string;
  email: string;
}

/** A workspace as runtimes see it. */
export interface WorkspaceSpec {
  id: string;
  name: string;
  namespace: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
  devfile: Devfile;
  /** The owner as the author of commits; undefined or null if unknown. */
  author?: CommitAuthor | null;
}

/** The address at which the gateway reaches the IDE of a running workspace. */
export type IdeTarget =
  /** A Unix socket. Read the path for each connection, because it may change. */
  | { kind: 'socket'; readonly path: string }
  /** A separate server; its address may have a path. */
  | { kind: 'origin'; url: string }
  /** The workspace runs without an IDE. */
  | { kind: 'none' };

/** The state of an existing workspace in a runtime. */
export interface ObservedWorkspace {
  id: string;
  running: boolean;
  target: IdeTarget | null;
  editor: WorkspaceEditor | null;
  /** A more detailed status than `running`, if the runtime has one. */
  status?: WorkspaceStatus;
  /** Reason for the failure, if the runtime knows it. */
  failure?: string | null;
}

/** Receives the progress of a start from the runtime. Calls never throw. */
export interface StartReporter {
  /** Adds or updates a step; steps keep the order in which they were added. */
  step(
    step: Pick<StartStep, 'id' | 'title' | 'state'> &
      Partial<Pick<StartStep, 'progress' | 'message'>>,
  ): void;
  log(source: WorkspaceLogLine['source'], text: string): void;
  /** Reports a part of the devfile that the runtime does not support. */
  warn(message: string): void;
}

/** A running workspace. */
export interface StartedWorkspace {
  target: IdeTarget;
  editor: WorkspaceEditor;
}

/** Reason for the end of a running workspace. */
export interface WorkspaceExit {
  id: string;
  /** One line for people, e.g. "The editor was killed (SIGKILL)". */
  reason: string;
}

/**
 * A change to a workspace that the portal did not request, in a place where others can also change
 * workspaces.
 */
export interface ExternalWorkspaceChange {
  id: string;
  status: WorkspaceStatus;
  /** One line for users if it failed. */
  failure: string | null;
  /** Additional information. */
  message: string | null;
  /** The address of its IDE while it runs. */
  target: IdeTarget | null;
  editor: WorkspaceEditor | null;
}

/** A failed start; the message is the cause. */
export class StartFailedError extends Error {
  override name = 'StartFailedError';
  /** True while the parts that were already running are being stopped. */
  readonly stillStopping: boolean;

  constructor(message: string, options: { stillStopping?: boolean } = {}) {
    super(message);
    this.stillStopping = options.stillStopping ?? false;
  }
}

/** The address of a workspace's port, for connections from the portal. */
export interface PortTarget {
  host: string;
  port: number;
  /** Opens a connection; set if the port is in a separate network. Rejects if nothing is listening. */
  connect?(): Promise<Duplex>;
}

/**
 * Runs workspaces in one place, such as this machine or a cluster. The rest of the plugin only
 * depends on this interface. All ids are ours (`workspace-…`). Callers start, stop and delete
 * the same workspace one call at a time, as the life cycle's queue does.
 */
export interface WorkspaceRuntime {
  readonly kind: string;

  /** Prepares for later starts in the background. Called once, when the platform is up. */
  prepare(): void;

  /** Returns whether an editor is available. */
  editor(): EditorAvailability;

  /**
   * Returns how a workspace is isolated, or would be if it were started now.
   *
   * @param workspace - undefined for a workspace whose devfile sets no limits.
   */
  isolation(
    workspace?: Pick<WorkspaceSpec, 'id' | 'devfile'>,
  ): WorkspaceIsolation;

  /**
   * Lists the parts of a devfile that this runtime does not support; shown before creation and
   * stored with the workspace.
   */
  unsupported(devfile: Devfile): string[];

  /**
   * Checks whether an owner may have a workspace in a namespace. Called before a workspace is
   * recorded. Omitted if namespaces are only labels.
   *
   * @param place.name - Undefined if not yet chosen.
   * @throws NotAllowedError if the namespace belongs to another owner; ConflictError if the name
   * is in use.
   */
  checkPlace?(place: {
    namespace: string;
    name?: string;
    owner: string;
  }): Promise<void>;

  /**
   * Creates missing folders and projects and starts the IDE. Resolves when the IDE responds;
   * rejects with a message for users. Aborting cancels the start and leaves nothing running; in
   * a place that outlives the portal, the caller that aborts must then call `stop` or `delete`.
   * Safe to call again after a failure.
   */
  start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace>;

  /**
   * Stops the IDE and all processes of the workspace; its files remain. Idempotent. Aborting
   * stops waiting, for runtimes where this may take long.
   */
  stop(id: string, signal?: AbortSignal): Promise<void>;

  /** Stops the workspace and removes its files. Idempotent. */
  delete(id: string): Promise<void>;

  /**
   * Lists all workspaces that exist in this runtime, from their actual state rather than from memory.
   *
   * @throws ServiceUnavailableError if the runtime is currently unreachable.
   */
  list(): Promise<ObservedWorkspace[]>;

  /**
   * Finds the address of a declared port of a running workspace; null if no process of this
   * workspace is listening there.
   */
  port(id: string, targetPort: number): Promise<PortTarget | null>;

  /**
   * Calls the listener when a running workspace has ended unexpectedly. Omitted if {@link
   * onExternalChange} reports that too. Returns an unsubscribe function.
   */
  onExit?(listener: (exit: WorkspaceExit) => void): () => void;

  /**
   * Calls the listener on all changes of workspaces in a place where others can also change
   * them, except changes by this runtime. Omitted if only the portal can change workspaces.
   * Returns an unsubscribe function.
   */
  onExternalChange?(
    listener: (change: ExternalWorkspaceChange) => void,
  ): () => void;

  /** Releases the runtime's resources; `stopWorkspaces` determines whether it also stops the IDEs. */
  shutdown(options: { stopWorkspaces: boolean }): Promise<void>;
}

/** Allows a module to run workspaces somewhere other than on this machine. */
export interface WorkspaceRuntimeExtensionPoint {
  /** Sets the runtime to use instead of the configured one. @throws Error if one has already been set. */
  setRuntime(runtime: WorkspaceRuntime): void;
}

/** Extension point of the plugin `ide-launcher`. Without a module, the configured runtime is used. */
export const workspaceRuntimeExtensionPoint =
  createExtensionPoint<WorkspaceRuntimeExtensionPoint>({
    id: 'ide-launcher.workspace-runtime',
  });
