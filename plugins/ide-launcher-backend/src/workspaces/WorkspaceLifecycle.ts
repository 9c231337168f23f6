import { LoggerService } from '@backstage/backend-plugin-api';
import { KeyedQueue } from '../KeyedQueue';
import { IdeTarget, WorkspaceMove } from '../runtimes/WorkspaceRuntime';
import { recordAdoption, recordExit, recordMove } from './recordMoves';
import { LifecycleParts, runStart } from './runStart';
import { StartRecorders } from './StartRecorder';
import { Workspace, WorkspaceChange } from './Workspace';
import { ChangedWorkspace } from './WorkspaceEvents';

/**
 * Moves workspaces between their states. Conditional transitions of the store decide
 * every race: whoever moves a workspace out of a state owns what follows. What follows
 * runs in a queue, one action of each workspace at a time, so that runtimes are never
 * asked for two things of one workspace at once; a stop or a deletion aborts the start
 * before it.
 */
export class WorkspaceLifecycle {
  readonly #parts: LifecycleParts;
  readonly #logger: LoggerService;
  readonly #queue = new KeyedQueue<'start' | 'stop' | 'delete' | 'record'>();
  /** Starts whose IDE has answered, until their record says so. */
  readonly #answered = new Set<string>();
  /** Status messages of workspaces whose stop fails, as they were before the error took their place. */
  readonly #stopReasons = new Map<string, string | null>();
  readonly #unsubscribe: ((() => void) | undefined)[];
  #shuttingDown = false;

  constructor(
    options: Omit<LifecycleParts, 'recorders' | 'now'> & {
      logger: LoggerService;
      now?: () => Date;
    },
  ) {
    const { logger, now = () => new Date(), runtime } = options;
    this.#logger = logger;
    this.#parts = {
      ...options,
      now,
      recorders: new StartRecorders({ ...options, now }),
    };
    this.#unsubscribe = [
      runtime.onExit?.(exit =>
        this.#background(
          this.#queue.run(exit.id, 'record', () =>
            recordExit(this.#parts, exit),
          ),
        ),
      ),
      runtime.onMove?.(move => this.#background(this.observe(move))),
    ];
  }

  /**
   * Runs the start of a workspace that is Starting, and returns at once. A portal that
   * ends leaves it to the next.
   */
  run(workspace: Workspace): void {
    if (!this.#shuttingDown) {
      this.#background(
        this.#queue.run(workspace.id, 'start', signal =>
          this.#start(workspace, signal),
        ),
      );
    }
  }

  /** Runs the start of a workspace that an earlier portal left Starting, unless it is under way. */
  resume(workspace: Workspace): void {
    if (!this.#queue.has(workspace.id, 'start')) {
      this.run(workspace);
    }
  }

  /**
   * Starts a stopped workspace.
   *
   * @returns false when it was not stopped, and nothing was done.
   */
  async start(workspace: Workspace): Promise<boolean> {
    const { events, store } = this.#parts;
    const moved = await store.transition(workspace.id, ['Stopped'], {
      status: 'Starting',
      failed: false,
      statusMessage: null,
      steps: [],
      extendedUntil: null,
    });
    if (moved) {
      events.changed(workspace, 'Starting', { kind: 'requested' });
      this.run(workspace);
    }
    return moved;
  }

  /**
   * Stops a workspace that starts or runs; the rest happens in the background.
   *
   * @param options.reason - kept as the status message, e.g. why an idle workspace was stopped.
   * @returns false when there was nothing to stop.
   */
  async stop(
    workspace: ChangedWorkspace,
    options: { reason?: string } = {},
  ): Promise<boolean> {
    const { events, store } = this.#parts;
    const moved = await store.transition(
      workspace.id,
      ['Starting', 'Running'],
      {
        status: 'Stopping',
        failed: false,
        statusMessage: options.reason ?? null,
      },
    );
    if (moved) {
      events.changed(workspace, 'Stopping', { kind: 'requested' });
      this.#background(this.finishStop(workspace));
    }
    return moved;
  }

  /** Ends a stop that was begun, perhaps by a process that is no more. Callers at once share one. */
  async finishStop(workspace: ChangedWorkspace): Promise<void> {
    this.#queue.abort('start', workspace.id);
    await this.#queue.share(workspace.id, 'stop', signal =>
      this.#stop(workspace, signal),
    );
  }

  /** Removes a workspace with its files. From the first moment on no list shows it. */
  async delete(workspace: ChangedWorkspace): Promise<void> {
    const { events, store } = this.#parts;
    await store.markDeleting(workspace.id);
    await this.finishDelete(workspace.id);
    events.changed(workspace, 'Deleted', { kind: 'requested' });
  }

  /** Ends a deletion that was begun, perhaps by a process that is no more. Callers at once share one. */
  async finishDelete(id: string): Promise<void> {
    this.#queue.abort('start', id);
    this.#queue.abort('stop', id);
    await this.#queue.share(id, 'delete', () => this.#delete(id));
  }

  /** Tries again what an error kept from being stopped or deleted; what is deleted is hidden, yet holds its name and files. */
  async sweep(): Promise<void> {
    const { store } = this.#parts;
    for (const workspace of await store.listByStatus(['Stopping'])) {
      if (!this.#queue.has(workspace.id, 'stop')) {
        this.#background(this.finishStop(workspace));
      }
    }
    for (const id of await store.listDeleting()) {
      await this.finishDelete(id).catch(error =>
        this.#logger.error(`${id} could not be deleted`, error),
      );
    }
  }

  /** Takes over a workspace that an earlier process started and that still runs. */
  async adopt(
    workspace: { id: string },
    observed: { target: IdeTarget | null; change: WorkspaceChange },
  ): Promise<void> {
    await recordAdoption(this.#parts, workspace, observed);
  }

  /**
   * Records what became of a workspace in a place that others reach too, and opens or
   * closes the way into its IDE. What the portal does to it itself goes on undisturbed.
   */
  async observe(move: WorkspaceMove): Promise<void> {
    if (!this.#isBusy(move.id)) {
      await this.#queue.run(move.id, 'record', () => this.#takeMove(move));
    }
  }

  /** Ends what runs in the background, then lets go of the runtime. */
  async shutdown(options: { stopWorkspaces: boolean }): Promise<void> {
    const { runtime, store } = this.#parts;
    this.#shuttingDown = true;
    this.#unsubscribe.forEach(unsubscribe => unsubscribe?.());
    this.#queue.abort('start');
    await this.#queue.idle();
    await this.#parts.recorders.closeAll();
    const running = options.stopWorkspaces
      ? await store.listByStatus(['Running'])
      : [];
    for (const { id } of running) {
      await store.transition(id, ['Running'], {
        status: 'Stopped',
        statusMessage: 'Stopped with the portal',
        extendedUntil: null,
      });
    }
    await runtime.shutdown(options);
  }

  async #start(workspace: Workspace, signal: AbortSignal): Promise<void> {
    const { id } = workspace;
    const onAnswered = () => this.#answered.add(id);
    try {
      const options = { signal, onAnswered };
      const status = await runStart(this.#parts, workspace, options);
      if (status === 'Stopping') {
        this.#background(this.finishStop(workspace));
      }
    } finally {
      this.#answered.delete(id);
    }
  }

  async #stop(workspace: ChangedWorkspace, signal: AbortSignal): Promise<void> {
    const { events, gateway, runtime, store } = this.#parts;
    const { id } = workspace;
    await gateway.close(id);
    try {
      await runtime.stop(id, signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      await this.#recordStopFault(workspace, error);
      throw error;
    }
    await this.#parts.recorders.close(id);
    await store.transition(id, ['Stopping'], {
      status: 'Stopped',
      extendedUntil: null,
      ...this.#takeStopReason(id),
    });
    events.changed(workspace, 'Stopped', { kind: 'requested' });
  }

  /** Says why a stop takes so long. */
  async #recordStopFault(
    workspace: ChangedWorkspace,
    error: unknown,
  ): Promise<void> {
    const { events, store } = this.#parts;
    const { id } = workspace;
    const recorded = await store.get(id);
    if (recorded && !this.#stopReasons.has(id)) {
      this.#stopReasons.set(id, recorded.statusMessage);
    }
    await store.transition(id, ['Stopping'], {
      statusMessage: error instanceof Error ? error.message : String(error),
    });
    events.changed(workspace, 'Stopping', { kind: 'observed' });
  }

  /** Returns what a workspace says again once its stop is over: the stop's own reason. */
  #takeStopReason(id: string): Pick<WorkspaceChange, 'statusMessage'> {
    const statusMessage = this.#stopReasons.get(id);
    this.#stopReasons.delete(id);
    return statusMessage === undefined ? {} : { statusMessage };
  }

  async #delete(id: string): Promise<void> {
    const { gateway, runtime, store } = this.#parts;
    await gateway.close(id);
    await runtime.delete(id);
    await this.#parts.recorders.close(id);
    await store.remove(id);
    this.#takeStopReason(id);
  }

  async #takeMove(move: WorkspaceMove): Promise<void> {
    if (!this.#isBusy(move.id)) {
      // A stop that fails is over with any move but to Stopping.
      const ownReason =
        move.status === 'Stopping' ? {} : this.#takeStopReason(move.id);
      await recordMove(this.#parts, move, ownReason);
    }
  }

  /** Returns whether the portal itself starts, stops or deletes a workspace; a start counts until its IDE answers. */
  #isBusy(id: string): boolean {
    return (
      this.#queue.has(id, 'stop', 'delete') ||
      (this.#queue.has(id, 'start') && !this.#answered.has(id))
    );
  }

  /** Sees work to its end. Its errors are logged; those after the begin of a shutdown are its own doing. */
  #background(work: Promise<void>): void {
    work.catch(error => {
      if (!this.#shuttingDown) {
        this.#logger.error('Work on a workspace failed', error);
      }
    });
  }
}
