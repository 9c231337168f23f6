import { KeyedQueue, raceAbort, settleAll } from '../queues';
import {
  IdeTarget,
  ExternalWorkspaceChange,
} from '../runtimes/WorkspaceRuntime';
import {
  recordAdoption,
  recordExit,
  recordExternalChange,
} from './recordExternalChanges';
import { LifecycleParts, runStart } from './runStart';
import { recordShutdown, runStop, StopReasons } from './runStop';
import { StartRecorders } from './StartRecorder';
import { untilStored } from './storage/untilStored';
import { DeletionConditions } from './storage/WorkspaceStore';
import { Workspace, WorkspaceChange, WorkspaceUse } from './Workspace';
import { ChangedWorkspace } from './WorkspaceEvents';

/**
 * Moves workspaces between their states. Conditional transitions of the store decide every race:
 * the caller that moves a workspace out of a state performs the action that follows. These
 * actions run in a queue, one at a time per workspace, so that a runtime never gets two
 * concurrent requests for one workspace; a stop or a deletion aborts an earlier start.
 */
export class WorkspaceLifecycle {
  readonly #parts: LifecycleParts;
  readonly #queue = new KeyedQueue<'start' | 'stop' | 'delete' | 'record'>();
  /** Ids of workspaces whose IDE responds, but whose start is not recorded yet. */
  readonly #answered = new Set<string>();
  readonly #stopReasons = new StopReasons();
  /** Ids of stopping workspaces that start once they have stopped. */
  readonly #startNext = new Set<string>();
  readonly #unsubscribe: ((() => void) | undefined)[];
  #shuttingDown = false;

  constructor(
    options: Omit<LifecycleParts, 'recorders' | 'now'> & { now?: () => Date },
  ) {
    const { logger, now = () => new Date(), runtime } = options;
    this.#parts = {
      ...options,
      now,
      recorders: new StartRecorders({ ...options, now }),
    };
    this.#unsubscribe = [
      runtime.onExit?.(exit =>
        this.#background(
          this.#queue.run(exit.id, 'record', signal =>
            untilStored(logger, signal, () => recordExit(this.#parts, exit)),
          ),
        ),
      ),
      runtime.onExternalChange?.(change =>
        this.#background(this.observe(change)),
      ),
    ];
  }

  /**
   * Begins the start of a workspace in state Starting, in the background. If the portal ends, the
   * next one continues it.
   */
  beginStart(workspace: Workspace): void {
    if (!this.#shuttingDown) {
      this.#background(
        this.#queue.run(workspace.id, 'start', signal =>
          this.#start(workspace, signal),
        ),
      );
    }
  }

  /**
   * Begins the start of a workspace that an earlier portal left in state Starting, unless it is
   * already in progress.
   */
  resume(workspace: Workspace): void {
    if (!this.#queue.has(workspace.id, 'start')) {
      this.beginStart(workspace);
    }
  }

  /**
   * Starts a stopped workspace.
   *
   * @returns false if it was not stopped; then nothing was done.
   */
  async start(workspace: Workspace): Promise<boolean> {
    const { events, store } = this.#parts;
    const moved = await store.transition(workspace.id, ['Stopped'], {
      status: 'Starting',
      failed: false,
      statusMessage: null,
      steps: [],
      startWarnings: [],
      extendedUntil: null,
      keptUntil: null,
    });
    if (moved) {
      events.changed(workspace, 'Starting', { kind: 'requested' });
      this.beginStart(workspace);
    }
    return moved;
  }

  /**
   * Starts a stopping workspace once it has stopped, in the background, unless its user stops or deletes it
   * before that.
   */
  startOnceStopped(workspace: Workspace): void {
    this.#startNext.add(workspace.id);
    this.#background(this.#startOnceStopped(workspace));
  }

  /**
   * Stops a workspace that is starting or running, in the background.
   *
   * @param options.reason - stored as the status message, e.g. why an idle workspace was
   * stopped.
   * @param options.unusedSince - stops it only if it was neither used nor extended since.
   * @returns false if there was nothing to stop.
   */
  async stop(
    workspace: ChangedWorkspace,
    options: { reason?: string; unusedSince?: WorkspaceUse } = {},
  ): Promise<boolean> {
    const { events, store } = this.#parts;
    if (!options.unusedSince) {
      // A stop for lack of use does not count: the monitor may have read the workspace before its restart.
      this.#startNext.delete(workspace.id);
    }
    const moved = await store.transition(
      workspace.id,
      ['Starting', 'Running'],
      {
        status: 'Stopping',
        failed: false,
        statusMessage: options.reason ?? null,
      },
      options.unusedSince,
    );
    if (moved) {
      events.changed(workspace, 'Stopping', { kind: 'requested' });
      this.#background(this.#completeStop(workspace));
    }
    return moved;
  }

  /**
   * Completes a stop that an earlier process may have begun, if the workspace is still stopping.
   * Concurrent callers share one.
   */
  async finishStop(workspace: ChangedWorkspace): Promise<void> {
    // It may have stopped and been started again since the caller read its status.
    const current = await this.#parts.store.get(workspace.id);
    if (current?.status === 'Stopping') {
      await this.#completeStop(workspace);
    }
  }

  /**
   * Removes a workspace with its files. Lists stop showing it immediately.
   *
   * @returns false if there was nothing to remove.
   */
  async delete(
    workspace: ChangedWorkspace,
    conditions: DeletionConditions = {},
  ): Promise<boolean> {
    const { events, store } = this.#parts;
    if (!(await store.markDeleting(workspace.id, conditions))) {
      return false;
    }
    await this.finishDelete(workspace.id);
    events.changed(workspace, 'Deleted', { kind: 'requested' });
    return true;
  }

  /** Completes a deletion, possibly one begun by an earlier process. Concurrent callers share one. */
  async finishDelete(id: string): Promise<void> {
    this.#queue.abort('start', id);
    this.#queue.abort('stop', id);
    this.#queue.abort('record', id);
    await this.#queue.share(id, 'delete', () => this.#delete(id));
  }

  /**
   * Retries failed stops and deletions; a workspace being deleted is hidden, but still occupies
   * its name and files.
   */
  async sweep(): Promise<void> {
    const { logger, store } = this.#parts;
    for (const workspace of await store.listByStatus(['Stopping'])) {
      if (!this.#queue.has(workspace.id, 'stop')) {
        this.#background(this.finishStop(workspace));
      }
    }
    for (const id of await store.listDeleting()) {
      await this.finishDelete(id).catch(error =>
        logger.error(`${id} could not be deleted`, error),
      );
    }
  }

  /** Adopts a workspace that an earlier process started and that is still running. */
  async adopt(
    workspace: { id: string },
    observed: { target: IdeTarget | null; change: WorkspaceChange },
  ): Promise<void> {
    await recordAdoption(this.#parts, workspace, observed);
  }

  /**
   * Records a change of a workspace in a place where others can change it too, and opens or
   * closes access to its IDE. Ignored while the portal itself is changing the workspace.
   */
  async observe(change: ExternalWorkspaceChange): Promise<void> {
    if (!this.#isBusy(change.id)) {
      await this.#queue.run(change.id, 'record', signal =>
        this.#takeExternalChange(change, signal),
      );
    }
  }

  /**
   * Shuts down the runtime, and in parallel waits for background work until the `deadline`: the database
   * may hang, since it may be shutting down as well.
   */
  async shutdown(
    options: { stopWorkspaces: boolean },
    deadline: AbortSignal,
  ): Promise<void> {
    this.#shuttingDown = true;
    this.#unsubscribe.forEach(unsubscribe => unsubscribe?.());
    this.#queue.abort('start');
    // Only stops waiting: the next process completes stops and records what has ended.
    this.#queue.abort('stop');
    this.#queue.abort('record');
    const recorded = this.#queue
      .idle()
      .then(() => recordShutdown(this.#parts, options));
    // In parallel, so that the time that editors take to stop is not added to the deadline.
    await settleAll([
      raceAbort(recorded, deadline),
      this.#parts.runtime.shutdown(options),
    ]);
  }

  async #start(workspace: Workspace, signal: AbortSignal): Promise<void> {
    const { id } = workspace;
    const onAnswered = () => this.#answered.add(id);
    try {
      const options = { signal, onAnswered };
      const status = await runStart(this.#parts, workspace, options);
      if (status === 'Stopping') {
        this.#background(this.#completeStop(workspace));
      }
    } finally {
      this.#answered.delete(id);
    }
  }

  async #startOnceStopped(workspace: Workspace): Promise<void> {
    const { id } = workspace;
    await this.finishStop(workspace).catch(error => {
      // The stop is retried later, when the user no longer waits for the start.
      this.#startNext.delete(id);
      throw error;
    });
    if (this.#startNext.delete(id)) {
      await this.start(workspace);
    }
  }

  async #completeStop(workspace: ChangedWorkspace): Promise<void> {
    this.#queue.abort('start', workspace.id);
    // The stop must not wait for retries of recording an earlier change.
    this.#queue.abort('record', workspace.id);
    await this.#queue.share(workspace.id, 'stop', signal =>
      runStop(this.#parts, workspace, { signal, reasons: this.#stopReasons }),
    );
  }

  async #delete(id: string): Promise<void> {
    const { gateway, runtime, store } = this.#parts;
    await gateway.close(id);
    await runtime.delete(id);
    await this.#parts.recorders.close(id);
    await store.remove(id);
    this.#stopReasons.take(id);
  }

  async #takeExternalChange(
    change: ExternalWorkspaceChange,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.#isBusy(change.id)) {
      // In any state other than Stopping, a failing stop has ended.
      const ownReason =
        change.status === 'Stopping' ? {} : this.#stopReasons.take(change.id);
      await untilStored(this.#parts.logger, signal, async () => {
        // While the database was failing, a stop or deletion may have begun; its outcome is newer.
        if (!this.#isBusy(change.id)) {
          await recordExternalChange(this.#parts, change, ownReason);
        }
      });
    }
  }

  /**
   * Returns whether the portal itself is starting, stopping or deleting a workspace; a start
   * counts until its IDE responds.
   */
  #isBusy(id: string): boolean {
    return (
      this.#queue.has(id, 'stop', 'delete') ||
      (this.#queue.has(id, 'start') && !this.#answered.has(id))
    );
  }

  /** Runs work in the background. Logs its errors, except those during shutdown, which are expected. */
  #background(work: Promise<void>): void {
    work.catch(error => {
      if (!this.#shuttingDown) {
        this.#parts.logger.error('Work on a workspace failed', error);
      }
    });
  }
}
