import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { WorkspaceExit, WorkspaceMove } from '../runtimes/WorkspaceRuntime';
import { IdeDoor } from './IdeDoor';
import { StartRecorders } from './StartRecorders';
import { Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceOutcomes } from './WorkspaceNotifications';
import { WorkspaceStarts } from './WorkspaceStarts';
import { WorkspaceStops } from './WorkspaceStops';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What {@link WorkspaceMoves} work with. */
interface WorkspaceMovesOptions {
  store: WorkspaceStore;
  door: IdeDoor;
  starts: Pick<WorkspaceStarts, 'has' | 'untilRecorded'>;
  stops: Pick<WorkspaceStops, 'has' | 'endHoldUp'>;
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

/**
 * Brings records in line with what becomes of workspaces where they run without
 * the portal's doing: editors that end by themselves, and what others do there.
 */
export class WorkspaceMoves {
  readonly #options: WorkspaceMovesOptions;

  constructor(options: WorkspaceMovesOptions) {
    this.#options = options;
  }

  /**
   * Records a move and opens or closes the way into the IDE accordingly. What
   * this process is doing to the workspace itself goes on undisturbed.
   */
  async take(move: WorkspaceMove): Promise<void> {
    const { door, onMoved, outcomes, recorders, starts, stops, store } =
      this.#options;
    const { id } = move;
    await starts.untilRecorded(id);
    const workspace =
      starts.has(id) || stops.has(id) ? undefined : await store.get(id);
    if (!workspace) {
      return;
    }
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

  /** Records that an editor has ended by itself. */
  async takeExit({ id, reason }: WorkspaceExit): Promise<void> {
    const { door, onMoved, outcomes, recorders, starts, store } = this.#options;
    // It may have died before its record said that it runs: let that catch up.
    await starts.untilRecorded(id);
    await door.close(id);
    await recorders.close(id);
    const moved = await store.transition(id, ['Running'], {
      status: 'Stopped',
      failed: true,
      statusMessage: reason,
      extendedUntil: null,
    });
    const workspace = moved && (await store.get(id));
    if (workspace) {
      onMoved(workspace, 'Stopped');
      outcomes.failed(workspace, reason);
    }
  }

  #changeOf(workspace: Workspace, move: WorkspaceMove): WorkspaceChange {
    // Whatever held a stop up, it is over with any move but to Stopping.
    const ownReason =
      move.status === 'Stopping'
        ? {}
        : this.#options.stops.endHoldUp(workspace.id);
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
          ...(workspace.status === 'Stopping' && move.failure === null
            ? ownReason
            : {
                failed: move.failure !== null,
                statusMessage: move.failure ?? move.message,
              }),
        };
    }
  }
}
