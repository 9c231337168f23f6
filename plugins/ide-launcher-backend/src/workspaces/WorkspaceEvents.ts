import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';

/** The part of a workspace that events name. */
export interface ChangedWorkspace {
  id: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
  name: string;
}

/** Why a workspace changed. */
type ChangeReason =
  /** A caller, a rule or an end of the portal asked for it. */
  | { kind: 'requested' }
  /** It came about where the workspace runs. */
  | { kind: 'observed' }
  /** A start ended with an IDE that answers. */
  | { kind: 'started'; durationMs: number }
  /** A start failed, or an editor ended by itself; `cause` is a sentence for people. */
  | { kind: 'failed'; cause: string }
  /** A start reported steps or warnings, or only lines of the log. */
  | { kind: 'progress' | 'logged' }
  /** Nobody uses it; its owner has until then to start it. */
  | { kind: 'unused'; deletesAt: Date };

/**
 * Hears of a change.
 *
 * @param state - the new status, `Deleted` once the workspace is gone; null where the status stays.
 */
export type ChangeListener = (
  workspace: ChangedWorkspace,
  state: WorkspaceStatus | 'Deleted' | null,
  reason: ChangeReason,
) => void;

/** The one event of the life cycle: pages and notifications subscribe to it. */
export class WorkspaceEvents {
  readonly #listeners = new Set<ChangeListener>();

  /** Calls the listener with every change. */
  onChange(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  /** Tells every listener. */
  readonly changed: ChangeListener = (workspace, state, reason) => {
    this.#listeners.forEach(tell => tell(workspace, state, reason));
  };
}
