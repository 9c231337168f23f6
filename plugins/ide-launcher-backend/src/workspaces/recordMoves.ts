import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import {
  IdeTarget,
  WorkspaceExit,
  WorkspaceMove,
} from '../runtimes/WorkspaceRuntime';
import { LifecycleParts } from './runStart';
import { interruptSteps } from './StartRecorder';
import { Workspace, WorkspaceChange } from './Workspace';

/** The recorded states from which a workspace may move to an observed one. */
const FROM: Record<WorkspaceStatus, WorkspaceStatus[]> = {
  Starting: ['Stopped', 'Stopping'],
  Running: ['Starting', 'Running', 'Stopping', 'Stopped'],
  Stopping: ['Starting', 'Running'],
  Stopped: ['Starting', 'Running', 'Stopping'],
};

/** Records that a workspace started by an earlier process is still running, and opens access to it. */
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
    // The process that would have reported the end of running steps is gone.
    steps: recorded && interruptSteps(recorded.steps, now().toISOString()),
  });
}

/** Records that an editor has ended unexpectedly, and closes access to it. */
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
 * Records a change of a workspace in a place where others can change it too, and opens or closes
 * access to its IDE.
 *
 * @param ownReason - the status message of a stop before an error replaced it.
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
        // A stopping workspace already has a message.
        ...(workspace.status === 'Stopping' && move.failure === null
          ? context.ownReason
          : {
              failed: move.failure !== null,
              statusMessage: move.failure ?? move.message,
            }),
      };
  }
}
