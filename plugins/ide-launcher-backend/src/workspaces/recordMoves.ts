import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import {
  IdeTarget,
  WorkspaceExit,
  WorkspaceMove,
} from '../runtimes/WorkspaceRuntime';
import { LifecycleParts } from './runStart';
import { interruptSteps } from './StartRecorder';
import { Workspace, WorkspaceChange } from './Workspace';

/** From which states a workspace is moved to one that was observed. */
const FROM: Record<WorkspaceStatus, WorkspaceStatus[]> = {
  Starting: ['Stopped', 'Stopping'],
  Running: ['Starting', 'Running', 'Stopping', 'Stopped'],
  Stopping: ['Starting', 'Running'],
  Stopped: ['Starting', 'Running', 'Stopping'],
};

/** Records that a workspace which an earlier process started still runs, and opens the way into it. */
export async function recordAdoption(
  { gateway, now, store }: LifecycleParts,
  { id }: { id: string },
  observed: { target: IdeTarget | null; change: WorkspaceChange },
): Promise<void> {
  if (observed.target) {
    gateway.open(id, observed.target);
  }
  const recorded = await store.get(id);
  await store.transition(id, ['Starting', 'Running'], {
    ...observed.change,
    // Who would have told their end is gone.
    steps: recorded && interruptSteps(recorded.steps, now().toISOString()),
  });
}

/** Records that an editor has ended by itself, and closes the way into it. */
export async function recordExit(
  { events, gateway, recorders, store }: LifecycleParts,
  { id, reason }: WorkspaceExit,
): Promise<void> {
  await gateway.close(id);
  await recorders.close(id);
  const moved = await store.transition(id, ['Running'], {
    status: 'Stopped',
    failed: true,
    statusMessage: reason,
    extendedUntil: null,
  });
  const workspace = moved && (await store.get(id));
  if (workspace) {
    events.changed(workspace, 'Stopped', { kind: 'failed', cause: reason });
  }
}

/**
 * Records what became of a workspace in a place that others reach too, and opens or
 * closes the way into its IDE.
 *
 * @param ownReason - what a stop said of itself before an error took its place.
 */
export async function recordMove(
  { events, gateway, now, recorders, store }: LifecycleParts,
  move: WorkspaceMove,
  ownReason: Pick<WorkspaceChange, 'statusMessage'>,
): Promise<void> {
  const { failure, id, status } = move;
  const workspace = await store.get(id);
  if (!workspace) {
    return;
  }
  if (status !== 'Running') {
    await gateway.close(id);
    await recorders.close(id);
  } else if (move.target) {
    gateway.open(id, move.target);
  }
  const change = changeOf(workspace, move, { ownReason, now: now() });
  const moved = await store.transition(id, FROM[status], change);
  if (moved && workspace.status !== status) {
    events.changed(
      workspace,
      status,
      failure !== null && !workspace.failed
        ? { kind: 'failed', cause: failure }
        : { kind: 'observed' },
    );
  }
}

function changeOf(
  workspace: Workspace,
  move: WorkspaceMove,
  context: { ownReason: Pick<WorkspaceChange, 'statusMessage'>; now: Date },
): WorkspaceChange {
  switch (move.status) {
    case 'Running': {
      const at = context.now.toISOString();
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
          ? context.ownReason
          : {
              failed: move.failure !== null,
              statusMessage: move.failure ?? move.message,
            }),
      };
  }
}
