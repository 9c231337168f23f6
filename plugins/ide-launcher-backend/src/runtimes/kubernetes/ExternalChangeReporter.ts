import { WorkspaceEditor } from '@slipway/plugin-ide-launcher-common';
import { ExternalWorkspaceChange } from '../WorkspaceRuntime';
import { workspaceIdOf } from './objects/types';
import { ideTargetOf, readState, WorkspaceState } from './phases';
import { WorkspaceCache } from './watch/WorkspaceCache';

const DELETED = 'The workspace was deleted in the cluster';

/** The fingerprint of a workspace that does not exist. */
const GONE = 'gone';

/** Reports changes of workspaces in the cluster, except those made by this runtime. */
export class ExternalChangeReporter {
  readonly #cache: WorkspaceCache;
  readonly #editor: WorkspaceEditor;
  /** Workspaces that this runtime is changing; their changes are not reported. */
  readonly #busy = new Set<string>();
  /** The last reported state of each workspace. */
  readonly #known = new Map<string, string>();
  /** Workspaces deleted by the portal that the cluster is still removing. */
  readonly #leaving = new Set<string>();
  readonly #listeners = new Set<(change: ExternalWorkspaceChange) => void>();

  constructor(options: { cache: WorkspaceCache; editor: WorkspaceEditor }) {
    this.#cache = options.cache;
    this.#editor = options.editor;
    this.#cache.onChange((now, before) => {
      const workspace = now ?? before;
      if (workspace) {
        this.#notify(workspaceIdOf(workspace));
      }
    });
  }

  /** Calls the listener on every change. @returns an unsubscribe function. */
  onExternalChange(
    listener: (change: ExternalWorkspaceChange) => void,
  ): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes all listeners. */
  stop(): void {
    this.#listeners.clear();
  }

  /** Runs an action on a workspace; then reports its state, unless that is known as the action's outcome. */
  async during<T>(id: string, action: () => Promise<T>): Promise<T> {
    this.#busy.add(id);
    try {
      return await action();
    } finally {
      this.#busy.delete(id);
      this.#notify(id);
    }
  }

  /** Records a state as known to the portal, so that it is not reported. */
  know(id: string, state = this.#stateOf(id)): void {
    this.#known.set(id, fingerprint(state));
  }

  /** Records that the portal has deleted a workspace, so that its removal is not reported. */
  leave(id: string): void {
    this.#leaving.add(id);
  }

  #stateOf(id: string): WorkspaceState | undefined {
    const [workspace] = this.#cache.withId(id);
    return workspace && readState(workspace);
  }

  #notify(id: string): void {
    if (this.#busy.has(id)) {
      return;
    }
    const [workspace] = this.#cache.withId(id);
    if (this.#leaving.has(id)) {
      if (!workspace) {
        this.#leaving.delete(id);
        this.#known.delete(id);
      }
      return;
    }
    const state = workspace && readState(workspace);
    if (workspace && !workspace.spec.started && isUp(state)) {
      // The operator has not yet processed the stop.
      return;
    }
    const seen = fingerprint(state);
    const known = this.#known.get(id);
    this.#known.set(id, seen);
    if (known === seen || ((known ?? GONE) === GONE && isNew(state))) {
      return;
    }
    const change = this.#changeOf(id, state);
    this.#listeners.forEach(listener => listener(change));
  }

  #changeOf(
    id: string,
    state: WorkspaceState | undefined,
  ): ExternalWorkspaceChange {
    return state
      ? {
          id,
          status: state.status,
          failure: state.failure,
          message: null,
          target: ideTargetOf(state),
          editor: this.#editor,
        }
      : {
          id,
          status: 'Stopped',
          failure: null,
          message: DELETED,
          target: null,
          editor: null,
        };
  }
}

/**
 * Returns whether a workspace that did not exist before looks as if another replica has just created it.
 * That replica starts it next; a report that it is stopped would override the start.
 */
function isNew(state: WorkspaceState | undefined): boolean {
  return state?.status === 'Stopped' && state.failure === null;
}

function isUp(state: WorkspaceState | undefined): boolean {
  return state?.status === 'Starting' || state?.status === 'Running';
}

function fingerprint(state: WorkspaceState | undefined): string {
  return state ? JSON.stringify(state) : GONE;
}
