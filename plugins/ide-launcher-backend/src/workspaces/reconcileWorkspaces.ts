import { LoggerService } from '@backstage/backend-plugin-api';
import {
  ObservedWorkspace,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { WorkspaceSummary } from './Workspace';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** Dependencies of {@link reconcileWorkspaces}. */
interface ReconcileOptions {
  store: WorkspaceStore;
  runtime: WorkspaceRuntime;
  lifecycle: WorkspaceLifecycle;
  logger: LoggerService;
}

const LOST = 'The workspace ended while the portal was not running';

/** Updates the record of a workspace that is starting or running to its observed state. */
async function reconcile(
  { store, lifecycle }: ReconcileOptions,
  workspace: WorkspaceSummary,
  observed: ObservedWorkspace | undefined,
): Promise<void> {
  const { id, status } = workspace;
  if (observed?.running) {
    await lifecycle.adopt(workspace, {
      target: observed.target,
      change: {
        status: 'Running',
        failed: false,
        statusMessage: null,
        editor: observed.editor ?? workspace.editor,
        startedAt: workspace.startedAt ?? new Date().toISOString(),
      },
    });
  } else if (status === 'Running' && observed?.status === 'Starting') {
    // The runtime reports when it is running again.
    await store.transition(id, ['Running'], { status: 'Starting' });
  } else if (status === 'Running') {
    await store.transition(id, ['Running'], {
      status: 'Stopped',
      failed: Boolean(observed?.failure),
      statusMessage: observed?.failure ?? LOST,
      extendedUntil: null,
    });
  } else {
    const full = await store.get(id);
    if (full) {
      lifecycle.resume(full);
    }
  }
}

/**
 * Handles a workspace that runs although its record says it is stopped: adopts it if others can start
 * workspaces too; otherwise stops it, because an earlier portal left it running.
 */
async function reconcileStray(
  { lifecycle, runtime }: ReconcileOptions,
  { id, editor, target }: ObservedWorkspace,
): Promise<void> {
  if (runtime.onExternalChange) {
    await lifecycle.observe({
      id,
      status: 'Running',
      failure: null,
      message: null,
      target,
      editor,
    });
  } else {
    await runtime.stop(id);
  }
}

/**
 * Reconciles records with the runtime after a crash or a restart: adopts running workspaces, records
 * those that have ended as stopped, restarts interrupted starts, completes stops and deletions, adopts
 * workspaces started by others if the runtime allows that, and stops workspaces without a record. Their
 * files are kept, because they may belong to a database that will be restored.
 *
 * @returns the stops and deletions that continue in the background. The portal must not wait for them,
 * because an editor may take as long as the stop timeout to end.
 */
export async function reconcileWorkspaces(
  options: ReconcileOptions,
): Promise<{ ends: Promise<void> }> {
  const { store, runtime, lifecycle, logger } = options;
  const observed = new Map(
    (await runtime.list()).map(workspace => [workspace.id, workspace]),
  );
  const active = await store.listByStatus(['Starting', 'Running', 'Stopping']);
  const deleting = await store.listDeleting();
  const recorded = new Set(await store.listIds());
  const unlisted = [...observed.values()].filter(
    ({ id, running }) => running && !recorded.has(id),
  );
  const activeIds = new Set(active.map(({ id }) => id));
  const strays = [...observed.values()].filter(
    ({ id, running }) => running && recorded.has(id) && !activeIds.has(id),
  );

  const ends = settle(logger, [
    ...active
      .filter(({ status }) => status === 'Stopping')
      .map(workspace => lifecycle.finishStop(workspace)),
    ...deleting.map(id => lifecycle.finishDelete(id)),
    ...unlisted.map(({ id }) => {
      logger.warn(`Stopping ${id}: it runs, but no record of it exists`);
      return runtime.stop(id);
    }),
  ]);
  await settle(logger, [
    ...active
      .filter(({ status }) => status !== 'Stopping')
      .map(workspace =>
        reconcile(options, workspace, observed.get(workspace.id)),
      ),
    // Awaited, because otherwise its owner could start it while it is being stopped.
    ...strays.map(stray => reconcileStray(options, stray)),
  ]);
  return { ends };
}

/** Waits for all of the work and logs its errors. */
async function settle(
  logger: LoggerService,
  work: Promise<void>[],
): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'rejected') {
      logger.error('A workspace could not be reconciled', outcome.reason);
    }
  }
}
