import { LifecycleParts } from './runStart';
import { WorkspaceChange } from './Workspace';
import { ChangedWorkspace } from './WorkspaceEvents';

/** Keeps the status messages of stopping workspaces while errors of a failing stop replace them. */
export class StopReasons {
  readonly #reasons = new Map<string, string | null>();

  /** Remembers a workspace's status message, unless an earlier one is already remembered. */
  keep(id: string, statusMessage: string | null): void {
    if (!this.#reasons.has(id)) {
      this.#reasons.set(id, statusMessage);
    }
  }

  /** Returns the status message to restore after a stop, if one was remembered, and forgets it. */
  take(id: string): Pick<WorkspaceChange, 'statusMessage'> {
    const statusMessage = this.#reasons.get(id);
    this.#reasons.delete(id);
    return statusMessage === undefined ? {} : { statusMessage };
  }
}

/**
 * Stops the IDE of a workspace in state Stopping, and records that it has stopped.
 *
 * @throws the runtime's error, after recording it as the status message. Does not throw if aborted.
 */
export async function runStop(
  parts: LifecycleParts,
  workspace: ChangedWorkspace,
  options: { signal: AbortSignal; reasons: StopReasons },
): Promise<void> {
  const { events, gateway, recorders, runtime, store } = parts;
  const { signal, reasons } = options;
  const { id } = workspace;
  await gateway.close(id);
  try {
    await runtime.stop(id, signal);
  } catch (error) {
    if (signal.aborted) {
      return;
    }
    await recordFault(parts, workspace, { error, reasons });
    throw error;
  }
  await recorders.close(id);
  await store.transition(id, ['Stopping'], {
    status: 'Stopped',
    extendedUntil: null,
    ...reasons.take(id),
  });
  events.changed(workspace, 'Stopped', { kind: 'requested' });
}

/** Saves what starts have reported and, if running workspaces stop with the portal, records their stop. */
export async function recordShutdown(
  { recorders, store }: Pick<LifecycleParts, 'recorders' | 'store'>,
  { stopWorkspaces }: { stopWorkspaces: boolean },
): Promise<void> {
  await recorders.closeAll();
  if (!stopWorkspaces) {
    return;
  }
  for (const { id } of await store.listByStatus(['Running'])) {
    await store.transition(id, ['Running'], {
      status: 'Stopped',
      statusMessage: 'Stopped with the portal',
      extendedUntil: null,
    });
  }
}

async function recordFault(
  { events, store }: LifecycleParts,
  workspace: ChangedWorkspace,
  { error, reasons }: { error: unknown; reasons: StopReasons },
): Promise<void> {
  const { id } = workspace;
  const recorded = await store.get(id);
  if (recorded) {
    reasons.keep(id, recorded.statusMessage);
  }
  await store.transition(id, ['Stopping'], {
    statusMessage: error instanceof Error ? error.message : String(error),
  });
  events.changed(workspace, 'Stopping', { kind: 'observed' });
}
