import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import {
  IdeTarget,
  StartFailedError,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { StartRecorders } from './StartRecorder';
import { WorkspaceStore } from './storage/WorkspaceStore';
import { Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';

/** What the actions of the life cycle work with. */
export interface LifecycleParts {
  store: WorkspaceStore;
  runtime: WorkspaceRuntime;
  events: WorkspaceEvents;
  /** The way into a workspace's IDE, open while it runs. */
  gateway: {
    open(workspaceId: string, target: IdeTarget): void;
    /** Revokes every ticket and session and ends every connection. */
    close(workspaceId: string): Promise<void>;
  };
  recorders: StartRecorders;
  now(): Date;
}

type StartOutcome = WorkspaceChange & { status: WorkspaceStatus };

/**
 * Starts the IDE of a workspace that is Starting, and records how that ended.
 *
 * @param options.onAnswered - called when the IDE has answered, before the record says so.
 * @returns the new status; undefined where a stop, a deletion or a shutdown decides it.
 */
export async function runStart(
  parts: LifecycleParts,
  workspace: Workspace,
  options: { signal: AbortSignal; onAnswered(): void },
): Promise<WorkspaceStatus | undefined> {
  const { events, gateway, now, recorders, runtime, store } = parts;
  const { signal } = options;
  const { id } = workspace;
  const begun = now().getTime();
  const recorder = await recorders.open(workspace);
  let change: StartOutcome;
  try {
    signal.throwIfAborted();
    const { editor, target } = await runtime.start(workspace, recorder, signal);
    options.onAnswered();
    gateway.open(id, target);
    const at = now().toISOString();
    change = {
      status: 'Running',
      editor,
      failed: false,
      statusMessage: null,
      startedAt: at,
      lastUsedAt: at,
    };
  } catch (error) {
    if (signal.aborted) {
      // Whoever aborted decides what the workspace is now. On shutdown it
      // stays Starting, and the next process starts it again.
      await recorder.flush();
      return undefined;
    }
    change = failureOf(error);
    recorder.fail(change.statusMessage ?? '');
  }
  await recorder.flush();
  if (!(await store.transition(id, ['Starting'], change))) {
    await undoStart(parts, id);
    return undefined;
  }
  events.changed(
    workspace,
    change.status,
    change.failed
      ? { kind: 'failed', cause: change.statusMessage ?? '' }
      : { kind: 'started', durationMs: now().getTime() - begun },
  );
  return change.status;
}

function failureOf(error: unknown): StartOutcome {
  const stillStopping =
    error instanceof StartFailedError && error.stillStopping;
  return {
    status: stillStopping ? 'Stopping' : 'Stopped',
    failed: true,
    statusMessage: error instanceof Error ? error.message : String(error),
  };
}

/** Ends what a start brought up although a stop or a deletion changed the record before it could abort the start. */
async function undoStart(
  { gateway, runtime, store }: LifecycleParts,
  id: string,
): Promise<void> {
  await gateway.close(id);
  if (await store.get(id)) {
    await runtime.stop(id);
  } else {
    await runtime.delete(id);
  }
}
