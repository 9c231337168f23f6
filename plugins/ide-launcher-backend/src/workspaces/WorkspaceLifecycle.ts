import { LoggerService } from '@backstage/backend-plugin-api';
import {
  IdeTarget,
  WorkspaceExit,
  WorkspaceMove,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { IdeDoor } from './IdeDoor';
import { interruptSteps } from './interruptSteps';
import { StartRecorders } from './StartRecorders';
import { Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';
import { WorkspaceMoves } from './WorkspaceMoves';
import { WorkspaceOutcomes } from './WorkspaceNotifications';
import { WorkspaceStarts } from './WorkspaceStarts';
import { WorkspaceStore } from './WorkspaceStore';

/** What a {@link WorkspaceLifecycle} works with. */
export interface WorkspaceLifecycleOptions {
  store: WorkspaceStore;
  runtime: WorkspaceRuntime;
  events: WorkspaceEvents;
  door: IdeDoor;
  outcomes: WorkspaceOutcomes;
  logger: LoggerService;
  now?: () => Date;
}

/**
 * Moves workspaces between their states. The store's conditional transitions
 * decide every race: whoever moves a workspace out of a state owns what follows,
 * and a start that has been overtaken by a stop changes nothing any more.
 */
export class WorkspaceLifecycle {
  readonly #options: WorkspaceLifecycleOptions;
  readonly #now: () => Date;
  readonly #starts: WorkspaceStarts;
  readonly #recorders: StartRecorders;
  readonly #moves: WorkspaceMoves;
  readonly #stops = new Map<string, Promise<void>>();
  /** Status messages of workspaces whose stop is held up, as they were before. */
  readonly #heldUp = new Map<string, string | null>();
  readonly #deletions = new Map<string, Promise<void>>();
  readonly #background = new Set<Promise<void>>();
  readonly #unsubscribe: (() => void)[];
  #shuttingDown = false;

  constructor(options: WorkspaceLifecycleOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#recorders = new StartRecorders(options);
    this.#moves = new WorkspaceMoves({
      ...options,
      recorders: this.#recorders,
      onMoved: (workspace, status) => this.#changed(workspace, status),
      now: this.#now,
    });
    this.#starts = new WorkspaceStarts({
      ...options,
      recorders: this.#recorders,
      onMoved: (workspace, status) => {
        this.#changed(workspace, status);
        if (status === 'Stopping') {
          this.#inBackground(this.finishStop(workspace));
        }
      },
      now: this.#now,
    });
    this.#unsubscribe = [
      options.runtime.onExit(exit => this.#inBackground(this.#onExit(exit))),
    ];
    const unsubscribe = options.runtime.onMove?.(move =>
      this.#inBackground(this.observe(move)),
    );
    if (unsubscribe) {
      this.#unsubscribe.push(unsubscribe);
    }
  }

  /** Runs the start of a workspace that is Starting, unless it is under way. Returns at once. */
  run(workspace: Workspace): void {
    if (!this.#starts.has(workspace.id)) {
      this.#inBackground(this.#starts.run(workspace));
    }
  }

  /**
   * Starts a stopped workspace.
   *
   * @returns false when it was not stopped, and nothing was done.
   */
  async start(workspace: Workspace): Promise<boolean> {
    const moved = await this.#options.store.transition(
      workspace.id,
      ['Stopped'],
      {
        status: 'Starting',
        failed: false,
        statusMessage: null,
        steps: [],
        extendedUntil: null,
      },
    );
    if (moved) {
      this.#changed(workspace, 'Starting');
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
    workspace: { id: string; owner: string },
    options: { reason?: string } = {},
  ): Promise<boolean> {
    const moved = await this.#options.store.transition(
      workspace.id,
      ['Starting', 'Running'],
      {
        status: 'Stopping',
        failed: false,
        statusMessage: options.reason ?? null,
      },
    );
    if (moved) {
      this.#changed(workspace, 'Stopping');
      this.#inBackground(this.finishStop(workspace));
    }
    return moved;
  }

  /** Takes over a workspace that an earlier process started and that still runs. */
  async adopt(
    workspace: { id: string; owner: string },
    observed: { target: IdeTarget | null; change: WorkspaceChange },
  ): Promise<void> {
    const { door, store } = this.#options;
    if (observed.target) {
      door.open(workspace.id, observed.target);
    }
    const recorded = await store.get(workspace.id);
    await store.transition(workspace.id, ['Starting', 'Running'], {
      ...observed.change,
      // Who would have told their end is gone.
      steps:
        recorded && interruptSteps(recorded.steps, this.#now().toISOString()),
    });
  }

  /** Ends a stop that was begun, perhaps by a process that is no more. Callers at once share one. */
  async finishStop(workspace: { id: string; owner: string }): Promise<void> {
    const { id } = workspace;
    const stop =
      this.#stops.get(id) ??
      this.#stop(workspace).finally(() => this.#stops.delete(id));
    this.#stops.set(id, stop);
    await stop;
  }

  /** Tries again what an error kept from being stopped. */
  async finishStops(): Promise<void> {
    for (const workspace of await this.#options.store.listByStatus([
      'Stopping',
    ])) {
      if (!this.#stops.has(workspace.id)) {
        this.#inBackground(this.finishStop(workspace));
      }
    }
  }

  /**
   * Takes over what has become of a workspace in a place that others reach too.
   * What this process is doing to it itself goes on undisturbed.
   */
  async observe(move: WorkspaceMove): Promise<void> {
    const { id } = move;
    await this.#starts.untilRecorded(id);
    if (this.#starts.has(id) || this.#stops.has(id)) {
      return;
    }
    const workspace = await this.#options.store.get(id);
    if (workspace) {
      await this.#moves.take(workspace, move);
    }
  }

  async #stop(workspace: { id: string; owner: string }): Promise<void> {
    const { door, runtime, store } = this.#options;
    const { id } = workspace;
    await this.#starts.abort(id);
    await door.close(id);
    try {
      await runtime.stop(id);
    } catch (error) {
      await this.#holdUpStop(workspace, error);
      throw error;
    }
    await this.#recorders.close(id);
    const reason = this.#heldUp.get(id);
    this.#heldUp.delete(id);
    await store.transition(id, ['Stopping'], {
      status: 'Stopped',
      extendedUntil: null,
      ...(reason !== undefined && { statusMessage: reason }),
    });
    this.#changed(workspace, 'Stopped');
  }

  /** Says why a stop takes so long; it will be tried again, and its own reason then be shown again. */
  async #holdUpStop(
    workspace: { id: string; owner: string },
    error: unknown,
  ): Promise<void> {
    const { store } = this.#options;
    const { id } = workspace;
    const recorded = await store.get(id);
    if (recorded && !this.#heldUp.has(id)) {
      this.#heldUp.set(id, recorded.statusMessage);
    }
    await store.transition(id, ['Stopping'], {
      statusMessage: error instanceof Error ? error.message : String(error),
    });
    this.#changed(workspace, 'Stopping');
  }

  /** Removes a workspace with its files. From the first moment on no list shows it. */
  async delete(workspace: { id: string; owner: string }): Promise<void> {
    const { events, store } = this.#options;
    await store.markDeleting(workspace.id);
    await this.finishDelete(workspace.id);
    events.publish(workspace.owner, {
      type: 'deleted',
      workspaceId: workspace.id,
    });
  }

  /** Ends a deletion that was begun, perhaps by a process that is no more. Callers at once share one. */
  async finishDelete(id: string): Promise<void> {
    const deletion =
      this.#deletions.get(id) ??
      this.#delete(id).finally(() => this.#deletions.delete(id));
    this.#deletions.set(id, deletion);
    await deletion;
  }

  /** Tries again what an error kept from being deleted: such a workspace is hidden, yet holds its name and files. */
  async finishDeletions(): Promise<void> {
    for (const id of await this.#options.store.listDeleting()) {
      await this.finishDelete(id).catch(error =>
        this.#options.logger.error(`${id} could not be deleted`, error),
      );
    }
  }

  /** Ends what runs in the background, then lets go of the runtime. */
  async shutdown(options: { stopWorkspaces: boolean }): Promise<void> {
    this.#shuttingDown = true;
    this.#unsubscribe.forEach(unsubscribe => unsubscribe());
    this.#starts.abortAll();
    await Promise.allSettled(this.#background);
    await this.#recorders.closeAll();
    if (options.stopWorkspaces) {
      await this.#recordStopAll();
    }
    await this.#options.runtime.shutdown(options);
  }

  async #delete(id: string): Promise<void> {
    const { door, runtime, store } = this.#options;
    await this.#starts.abort(id);
    await door.close(id);
    await runtime.delete(id);
    await this.#recorders.close(id);
    await store.remove(id);
  }

  async #onExit(exit: WorkspaceExit): Promise<void> {
    const { door, outcomes, store } = this.#options;
    // It may have died before its record said that it runs: let that catch up.
    await this.#starts.untilRecorded(exit.id);
    await door.close(exit.id);
    await this.#recorders.close(exit.id);
    const moved = await store.transition(exit.id, ['Running'], {
      status: 'Stopped',
      failed: true,
      statusMessage: exit.reason,
      extendedUntil: null,
    });
    const workspace = moved && (await store.get(exit.id));
    if (workspace) {
      this.#changed(workspace, 'Stopped');
      outcomes.failed(workspace, exit.reason);
    }
  }

  async #recordStopAll(): Promise<void> {
    const { store } = this.#options;
    for (const { id } of await store.listByStatus(['Running'])) {
      await store.transition(id, ['Running'], {
        status: 'Stopped',
        statusMessage: 'Stopped together with the portal',
        extendedUntil: null,
      });
    }
  }

  #changed(
    workspace: { id: string; owner: string },
    status: NonNullable<WorkspaceChange['status']>,
  ): void {
    this.#options.events.publish(workspace.owner, {
      type: 'changed',
      workspaceId: workspace.id,
      status,
    });
  }

  #inBackground(work: Promise<void>): void {
    const tracked = work
      .catch(error => {
        if (!this.#shuttingDown) {
          this.#options.logger.error('Work on a workspace failed', error);
        }
      })
      .finally(() => this.#background.delete(tracked));
    this.#background.add(tracked);
  }
}
