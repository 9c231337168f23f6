import { LoggerService } from '@backstage/backend-plugin-api';
import {
  IdeTarget,
  WorkspaceMove,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { SharedWork } from '../SharedWork';
import { BackgroundWork } from './BackgroundWork';
import { IdeDoor } from './IdeDoor';
import { interruptSteps } from './interruptSteps';
import { StartRecorders } from './StartRecorders';
import { Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';
import { WorkspaceMoves } from './WorkspaceMoves';
import { WorkspaceOutcomes } from './WorkspaceNotifications';
import { WorkspaceStarts } from './WorkspaceStarts';
import { WorkspaceStops } from './WorkspaceStops';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What a {@link WorkspaceLifecycle} works with. */
interface WorkspaceLifecycleOptions {
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
  readonly #stops: WorkspaceStops;
  readonly #deletions = new SharedWork();
  readonly #background: BackgroundWork;
  readonly #unsubscribe: (() => void)[];
  #shuttingDown = false;

  constructor(options: WorkspaceLifecycleOptions) {
    const { runtime } = options;
    const now = options.now ?? (() => new Date());
    this.#options = options;
    this.#now = now;
    this.#background = new BackgroundWork(options);
    const recorders = new StartRecorders(options);
    this.#recorders = recorders;
    this.#starts = new WorkspaceStarts({
      ...options,
      recorders,
      now,
      onMoved: (workspace, status) => {
        this.#changed(workspace, status);
        if (status === 'Stopping') {
          this.#background.add(this.finishStop(workspace));
        }
      },
    });
    const shared = {
      ...options,
      recorders,
      now,
      starts: this.#starts,
      onMoved: this.#changed.bind(this),
    };
    this.#stops = new WorkspaceStops(shared);
    this.#moves = new WorkspaceMoves({ ...shared, stops: this.#stops });
    this.#unsubscribe = [
      runtime.onExit(exit => this.#background.add(this.#moves.takeExit(exit))),
      runtime.onMove?.(move => this.#background.add(this.#moves.take(move))),
    ].filter(unsubscribe => unsubscribe !== undefined);
  }

  /**
   * Runs the start of a workspace that is Starting, unless it is under way.
   * Returns at once. A portal that ends leaves it to the next.
   */
  run(workspace: Workspace): void {
    if (!this.#shuttingDown && !this.#starts.has(workspace.id)) {
      this.#background.add(this.#starts.run(workspace));
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
      this.#background.add(this.finishStop(workspace));
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
    await this.#stops.run(workspace);
  }

  /** Tries again what an error kept from being stopped. */
  async finishStops(): Promise<void> {
    for (const workspace of await this.#options.store.listByStatus([
      'Stopping',
    ])) {
      if (!this.#stops.has(workspace.id)) {
        this.#background.add(this.finishStop(workspace));
      }
    }
  }

  /** Takes over what has become of a workspace in a place that others reach too. */
  async observe(move: WorkspaceMove): Promise<void> {
    await this.#moves.take(move);
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
    await this.#deletions.run(id, () => this.#delete(id));
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
    await this.#background.settle();
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
    this.#stops.endHoldUp(id);
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
}
