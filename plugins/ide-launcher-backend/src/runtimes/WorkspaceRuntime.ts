import {
  EditorAvailability,
  StartStep,
  WorkspaceEditor,
  WorkspaceLogLine,
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

/** Where the gateway finds the IDE of a running workspace. */
export type IdeTarget =
  | { kind: 'socket'; path: string }
  | { kind: 'origin'; url: string };

/** What a runtime knows of a workspace that exists in it. */
export interface ObservedWorkspace {
  id: string;
  running: boolean;
  target: IdeTarget | null;
  editor: WorkspaceEditor | null;
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

/** A port of a workspace, as the runtime can reach it. */
export type PortTarget = { host: string; port: number };

/**
 * Runs workspaces somewhere. One implementation per place; the rest of the
 * plugin knows only this interface. All ids are ours (`workspace-…`).
 */
export interface WorkspaceRuntime {
  readonly kind: string;

  /** Called once, when the platform is up: begins, in the background, to bring what starts will need. */
  prepare(): void;

  /** Whether an editor is at hand. */
  editor(): EditorAvailability;

  /** What this runtime will not do with a devfile; shown before creation and kept on the workspace. */
  unsupported(devfile: Devfile): string[];

  /**
   * Creates what is missing (folders, projects) and starts the IDE. Resolves
   * when the IDE answers; rejects with a message for people. Aborting stops
   * the start and leaves nothing running. Safe to call again after a failure.
   */
  start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace>;

  /** Stops the IDE and every process of the workspace; files stay. Idempotent. */
  stop(id: string): Promise<void>;

  /** Stops the workspace and removes its files. Idempotent. */
  delete(id: string): Promise<void>;

  /** Everything that exists in this runtime, found by looking, not by remembering. */
  list(): Promise<ObservedWorkspace[]>;

  /** Where a declared port of a running workspace answers; null when no process of this workspace listens there. */
  port(id: string, targetPort: number): Promise<PortTarget | null>;

  /** Called when a running workspace ends by itself. Returns an unsubscribe function. */
  onExit(listener: (exit: WorkspaceExit) => void): () => void;

  /** Releases what the runtime holds; `stopWorkspaces` says whether the IDEs end with it. */
  shutdown(options: { stopWorkspaces: boolean }): Promise<void>;
}
