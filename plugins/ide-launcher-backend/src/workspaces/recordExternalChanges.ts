import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import {
  IdeTarget,
  WorkspaceExit,
  ExternalWorkspaceChange,
} from '../runtimes/WorkspaceRuntime';
import { LifecycleParts, moveOnce, Outcome } from './runStart';
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
  await recorders.close(id, reason);
  const workspace = await store.get(id);
  const outcome: Outcome = {
    status: 'Stopped',
    failed: true,
    statusMessage: reason,
    extendedUntil: null,
  };
  if (
    workspace &&
    (await moveOnce(store, { id, from: ['Running'] }, outcome))
  ) {
    events.changed(workspace, 'Stopped', { kind: 'failed', cause: reason });
  }
}

/**
 * Records a change of a workspace in a place where others can change it too, and opens or closes
 * access to its IDE.
 *
 * @param ownReason - the status message that a stop had before an error replaced it; empty if none.
 */
export async function recordExternalChange(
  { events, gateway, now, recorders, store }: LifecycleParts,
  external: ExternalWorkspaceChange,
  ownReason: Pick<WorkspaceChange, 'statusMessage'>,
): Promise<void> {
  const { failure, id, status } = external;
  const workspace = await store.get(id);
  if (!workspace) {
    return;
  }
  if (status !== 'Running') {
    await gateway.close(id);
    // If a start failed, its log already ends with the cause.
    await recorders.close(id, workspace.failed ? null : failure);
  } else if (external.target) {
    gateway.open(id, external.target);
  }
  const change = changeOf(workspace, external, { ownReason, now: now() });
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
  external: ExternalWorkspaceChange,
  context: { ownReason: Pick<WorkspaceChange, 'statusMessage'>; now: Date },
): WorkspaceChange {
  switch (external.status) {
    case 'Running': {
      const at = context.now.toISOString();
      return {
        status: 'Running',
        failed: false,
        statusMessage: null,
        editor: external.editor,
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
        statusMessage: external.message,
        steps: [],
        startWarnings: [],
        extendedUntil: null,
      };
    default:
      return {
        status: external.status,
        extendedUntil: null,
        // A stopping workspace already has a message.
        ...(workspace.status === 'Stopping' && external.failure === null
          ? context.ownReason
          : {
              failed: external.failure !== null,
              statusMessage: external.failure ?? external.message,
            }),
      };
  }
}
