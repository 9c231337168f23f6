import { LoggerService } from '@backstage/backend-plugin-api';
import {
  ObservedWorkspace,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { WorkspaceSummary } from './Workspace';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What {@link reconcileWorkspaces} works with. */
interface ReconcileOptions {
  store: WorkspaceStore;
  runtime: WorkspaceRuntime;
  lifecycle: WorkspaceLifecycle;
  logger: LoggerService;
}

const LOST = 'The workspace ended while the portal was not running';

/** Makes the record of a workspace that is not stopped agree with what was observed of it. */
async function reconcile(
  { store, lifecycle }: ReconcileOptions,
  workspace: WorkspaceSummary,
  observed: ObservedWorkspace | undefined,
): Promise<void> {
  const { id, status } = workspace;
  if (status === 'Stopping') {
    await lifecycle.finishStop(workspace);
  } else if (observed?.running) {
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
    // It will be told when it runs again.
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

/** Takes over what runs although its record says that it is stopped where others start workspaces too; elsewhere the portal left it behind, and it is stopped. */
async function reconcileStray(
  { lifecycle, runtime }: ReconcileOptions,
  { id, editor, target }: ObservedWorkspace,
): Promise<void> {
  if (runtime.onMove) {
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
 * Makes records and runtime agree after a crash or a restart: what runs is
 * adopted, what has ended is recorded as stopped, a start that was cut short
 * begins again, a stop or a deletion that was begun is finished, what others have
 * started where they can is taken over, and what runs without a record is stopped (its
 * files stay: they may belong to a database that was restored).
 */
export async function reconcileWorkspaces(
  options: ReconcileOptions,
): Promise<void> {
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

  const outcomes = await Promise.allSettled([
    ...active.map(workspace =>
      reconcile(options, workspace, observed.get(workspace.id)),
    ),
    ...deleting.map(id => lifecycle.finishDelete(id)),
    ...unlisted.map(({ id }) => {
      logger.warn(`Stopping ${id}: it runs, but no record of it exists`);
      return runtime.stop(id);
    }),
    ...strays.map(stray => reconcileStray(options, stray)),
  ]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      logger.error('A workspace could not be reconciled', outcome.reason);
    }
  }
}
