import { Duplex } from 'node:stream';
import { createExtensionPoint } from '@backstage/backend-plugin-api';
import {
  EditorAvailability,
  StartStep,
  WorkspaceEditor,
  WorkspaceIsolation,
  WorkspaceLogLine,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { Devfile } from '../devfile/types';

/** What a runtime is told about a workspace. */
export interface WorkspaceSpec {
  id: string;
  name: string;
  namespace: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
  devfile: Devfile;
}

/** The address at which the gateway finds the IDE of a running workspace. */
export type IdeTarget =
  | { kind: 'socket'; path: string }
  /** A server of its own; its address may have a path. */
  | { kind: 'origin'; url: string }
  /** Runs without an IDE that could be opened. */
  | { kind: 'none' };

/** What a runtime knows of a workspace that exists in it. */
export interface ObservedWorkspace {
  id: string;
  running: boolean;
  target: IdeTarget | null;
  editor: WorkspaceEditor | null;
  /** More than `running` says, where the place knows more. */
  status?: WorkspaceStatus;
  /** Why it failed, where the place says so. */
  failure?: string | null;
}

/** Told by the runtime while a workspace starts. Calls never throw. */
export interface StartReporter {
  /** Declares or updates one step; steps keep the order in which they were first declared. */
  step(
    step: Pick<StartStep, 'id' | 'title' | 'state'> &
      Partial<Pick<StartStep, 'progress' | 'message'>>,
  ): void;
  log(source: WorkspaceLogLine['source'], text: string): void;
  /** What the devfile asks for and the runtime does not do. */
  warn(message: string): void;
}

/** A workspace that runs. */
export interface StartedWorkspace {
  target: IdeTarget;
  editor: WorkspaceEditor;
}

/** Why a workspace that ran does so no more. */
export interface WorkspaceExit {
  id: string;
  /** One line for people, e.g. "The editor was killed (SIGKILL)". */
  reason: string;
}

/** What became of a workspace in a place that others reach too, without the portal having asked for it. */
export interface WorkspaceMove {
  id: string;
  status: WorkspaceStatus;
  /** One line for people when it failed. */
  failure: string | null;
  /** What else is worth saying. */
  message: string | null;
  /** The address of its IDE, while it runs. */
  target: IdeTarget | null;
  editor: WorkspaceEditor | null;
}

/** A start that came to nothing; the message is the cause. */
export class StartFailedError extends Error {
  override name = 'StartFailedError';
  /** True while what had come up already is still being taken down. */
  readonly stillStopping: boolean;

  constructor(message: string, options: { stillStopping?: boolean } = {}) {
    super(message);
    this.stillStopping = options.stillStopping ?? false;
  }
}

/** A port of a workspace, as the runtime can reach it. */
export interface PortTarget {
  host: string;
  port: number;
  /** Opens a connection where the port is in a network of its own; rejects when nothing answers. */
  connect?(): Promise<Duplex>;
}

/**
 * Runs workspaces somewhere. One implementation per place; the rest of the
 * plugin knows only this interface. All ids are ours (`workspace-…`). Callers start,
 * stop and delete one workspace one after the other, as the life cycle's queue does.
 */
export interface WorkspaceRuntime {
  readonly kind: string;

  /** Called once, when the platform is up: begins, in the background, to bring what starts will need. */
  prepare(): void;

  /** Tells whether an editor is at hand. */
  editor(): EditorAvailability;

  /** Tells how a workspace is kept apart: one that runs, or else one that would be started now. */
  isolation(workspaceId?: string): WorkspaceIsolation;

  /** Tells what this runtime will not do with a devfile; shown before creation and kept on the workspace. */
  unsupported(devfile: Devfile): string[];

  /**
   * Checks whether an owner may have a workspace there; asked before one is recorded.
   * Left out where namespaces are mere names.
   *
   * @param place.name - Undefined while it is yet to be chosen.
   * @throws NotAllowedError when the namespace is another's; ConflictError when the name is taken.
   */
  checkPlace?(place: {
    namespace: string;
    name?: string;
    owner: string;
  }): Promise<void>;

  /**
   * Creates what is missing (folders, projects) and starts the IDE. Resolves
   * when the IDE answers; rejects with a message for people. Aborting stops
   * the start and leaves nothing running; in a place that outlives the portal,
   * whoever aborts calls `stop` or `delete` for that. Safe to call again after
   * a failure.
   */
  start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace>;

  /**
   * Stops the IDE and every process of the workspace; files stay. Idempotent. Aborting
   * gives up waiting, in a place that may take long.
   */
  stop(id: string, signal?: AbortSignal): Promise<void>;

  /** Stops the workspace and removes its files. Idempotent. */
  delete(id: string): Promise<void>;

  /**
   * Everything that exists in this runtime, found by looking, not by remembering.
   *
   * @throws ServiceUnavailableError when the place cannot be reached at present.
   */
  list(): Promise<ObservedWorkspace[]>;

  /** Finds the address at which a declared port of a running workspace answers; null when no process of this workspace listens there. */
  port(id: string, targetPort: number): Promise<PortTarget | null>;

  /**
   * Called when a running workspace has ended by itself. Left out where {@link onMove}
   * tells of that too. Returns an unsubscribe function.
   */
  onExit?(listener: (exit: WorkspaceExit) => void): () => void;

  /**
   * Called with whatever happens to workspaces in a place that others reach too,
   * but for what this runtime is doing itself. Left out where only the portal
   * comes. Returns an unsubscribe function.
   */
  onMove?(listener: (move: WorkspaceMove) => void): () => void;

  /** Releases what the runtime holds; `stopWorkspaces` says whether the IDEs end with it. */
  shutdown(options: { stopWorkspaces: boolean }): Promise<void>;
}

/** Lets a module run workspaces elsewhere than on this machine. */
export interface WorkspaceRuntimeExtensionPoint {
  /** @throws Error when a runtime has been set already. */
  setRuntime(runtime: WorkspaceRuntime): void;
}

/** Extension point of the plugin `ide-launcher`. Without a module the local runtime is used. */
export const workspaceRuntimeExtensionPoint =
  createExtensionPoint<WorkspaceRuntimeExtensionPoint>({
    id: 'ide-launcher.workspace-runtime',
  });
