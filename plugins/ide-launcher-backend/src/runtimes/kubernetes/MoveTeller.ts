import { WorkspaceEditor } from '@slipway/plugin-ide-launcher-common';
import { WorkspaceMove } from '../WorkspaceRuntime';
import { workspaceIdOf } from './objects/types';
import { ideTargetOf, readState, WorkspaceState } from './phases';
import { WorkspaceCache } from './watch/WorkspaceCache';

const DELETED = 'The workspace was deleted in the cluster';

/** Tells what becomes of workspaces in the cluster, but for what this runtime does to them itself. */
export class MoveTeller {
  readonly #cache: WorkspaceCache;
  readonly #editor: WorkspaceEditor;
  /** Workspaces to which this runtime does something now: their moves are no news. */
  readonly #busy = new Set<string>();
  /** The last state of each workspace that the portal knows. */
  readonly #known = new Map<string, string>();
  /** Workspaces that the portal has deleted and the cluster still removes. */
  readonly #leaving = new Set<string>();
  readonly #listeners = new Set<(move: WorkspaceMove) => void>();

  constructor(options: { cache: WorkspaceCache; editor: WorkspaceEditor }) {
    this.#cache = options.cache;
    this.#editor = options.editor;
    this.#cache.onChange((now, before) => {
      const workspace = now ?? before;
      if (workspace) {
        this.#tell(workspaceIdOf(workspace));
      }
    });
  }

  /** Calls the listener with every move. @returns an unsubscribe function. */
  onMove(listener: (move: WorkspaceMove) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells nobody anything any more. */
  stop(): void {
    this.#listeners.clear();
  }

  /** Does something to a workspace. What is new afterwards, and not the outcome, is told. */
  async during<T>(id: string, action: () => Promise<T>): Promise<T> {
    this.#busy.add(id);
    try {
      return await action();
    } finally {
      this.#busy.delete(id);
      this.#tell(id);
    }
  }

  /** Notes that the portal knows of this state: it is no news any more. */
  know(id: string, state = this.#stateOf(id)): void {
    this.#known.set(id, fingerprint(state));
  }

  /** Notes that the portal has deleted a workspace: nothing of its end is news. */
  leave(id: string): void {
    this.#leaving.add(id);
  }

  #stateOf(id: string): WorkspaceState | undefined {
    const [workspace] = this.#cache.withId(id);
    return workspace && readState(workspace);
  }

  #tell(id: string): void {
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
      // The operator has yet to see that it was told to stop.
      return;
    }
    const seen = fingerprint(state);
    if (this.#known.get(id) === seen) {
      return;
    }
    this.#known.set(id, seen);
    const move = this.#moveOf(id, state);
    this.#listeners.forEach(listener => listener(move));
  }

  #moveOf(id: string, state: WorkspaceState | undefined): WorkspaceMove {
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

function isUp(state: WorkspaceState | undefined): boolean {
  return state?.status === 'Starting' || state?.status === 'Running';
}

function fingerprint(state: WorkspaceState | undefined): string {
  return state ? JSON.stringify(state) : 'gone';
}
