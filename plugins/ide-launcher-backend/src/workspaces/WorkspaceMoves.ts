import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { WorkspaceMove } from '../runtimes/WorkspaceRuntime';
import { IdeDoor } from './IdeDoor';
import { StartRecorders } from './StartRecorders';
import { Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceOutcomes } from './WorkspaceNotifications';
import { WorkspaceStore } from './WorkspaceStore';

/** What {@link WorkspaceMoves} work with. */
export interface WorkspaceMovesOptions {
  store: WorkspaceStore;
  door: IdeDoor;
  outcomes: WorkspaceOutcomes;
  recorders: StartRecorders;
  /** Told that a workspace has another status now. */
  onMoved(workspace: Workspace, status: WorkspaceStatus): void;
  now(): Date;
}

/** From which states a workspace is moved to one that was observed. */
const FROM: Record<WorkspaceStatus, WorkspaceStatus[]> = {
  Starting: ['Stopped', 'Stopping'],
  Running: ['Starting', 'Running', 'Stopping', 'Stopped'],
  Stopping: ['Starting', 'Running'],
  Stopped: ['Starting', 'Running', 'Stopping'],
};

/** Brings records in line with what others do to workspaces where those run. */
export class WorkspaceMoves {
  readonly #options: WorkspaceMovesOptions;

  constructor(options: WorkspaceMovesOptions) {
    this.#options = options;
  }

  /** Records a move and opens or closes the way into the IDE accordingly. */
  async take(workspace: Workspace, move: WorkspaceMove): Promise<void> {
    const { door, onMoved, outcomes, recorders, store } = this.#options;
    const { id } = workspace;
    if (move.status !== 'Running') {
      await door.close(id);
      await recorders.close(id);
    } else if (move.target) {
      door.open(id, move.target);
    }
    const moved = await store.transition(
      id,
      FROM[move.status],
      this.#changeOf(workspace, move),
    );
    if (moved && workspace.status !== move.status) {
      onMoved(workspace, move.status);
    }
    if (moved && move.failure !== null && !workspace.failed) {
      outcomes.failed(workspace, move.failure);
    }
  }

  #changeOf(workspace: Workspace, move: WorkspaceMove): WorkspaceChange {
    switch (move.status) {
      case 'Running': {
        const at = this.#options.now().toISOString();
        return {
          status: 'Running',
          failed: false,
          statusMessage: null,
          editor: move.editor,
          ...(workspace.status !== 'Running' && {
            startedAt: at,
            lastUsedAt: at,
          }),
        };
      }
      case 'Starting':
        return {
          status: 'Starting',
          failed: false,
          statusMessage: move.message,
          steps: [],
          extendedUntil: null,
        };
      default:
        return {
          status: move.status,
          extendedUntil: null,
          // A workspace that is stopping has said why already.
          ...((workspace.status !== 'Stopping' || move.failure !== null) && {
            failed: move.failure !== null,
            statusMessage: move.failure ?? move.message,
          }),
        };
    }
  }
}
