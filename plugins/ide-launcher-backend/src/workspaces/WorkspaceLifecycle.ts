import { LoggerService } from '@backstage/backend-plugin-api';
import {
  IdeTarget,
  WorkspaceExit,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { interruptSteps } from './interruptSteps';
import { StartRecorders } from './StartRecorders';
import { Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';
import { WorkspaceOutcomes } from './WorkspaceNotifications';
import { WorkspaceStore } from './WorkspaceStore';

/** The way into a workspace's IDE, open while it runs. */
export interface IdeDoor {
  open(workspaceId: string, target: IdeTarget): void;
  /** Revokes every ticket and session and ends every connection. */
  close(workspaceId: string): Promise<void>;
}

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

interface RunningStart {
  controller: AbortController;
  done: Promise<void>;
  /** Whether the IDE has answered; its record may not say so yet. */
  answered: boolean;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Moves workspaces between their states. The store's conditional transitions
 * decide every race: whoever moves a workspace out of a state owns what follows,
 * and a start that has been overtaken by a stop changes nothing any more.
 */
export class WorkspaceLifecycle {
  readonly #options: WorkspaceLifecycleOptions;
  readonly #now: () => Date;
  readonly #starts = new Map<string, RunningStart>();
  readonly #recorders: StartRecorders;
  readonly #deletions = new Map<string, Promise<void>>();
  readonly #background = new Set<Promise<void>>();
  readonly #unsubscribe: () => void;
  #shuttingDown = false;

  constructor(options: WorkspaceLifecycleOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#recorders = new StartRecorders(options);
    this.#unsubscribe = options.runtime.onExit(exit =>
      this.#inBackground(this.#onExit(exit)),
    );
  }

  /** Runs the start of a workspace that has just been moved to Starting. Returns at once. */
  run(workspace: Workspace): void {
    const { id } = workspace;
    const start: RunningStart = {
      controller: new AbortController(),
      done: Promise.resolve(),
      answered: false,
    };
    start.done = this.#start(workspace, start).finally(() =>
      this.#starts.delete(id),
    );
    this.#starts.set(id, start);
    this.#inBackground(start.done);
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
    observed: { target: IdeTarget; change: WorkspaceChange },
  ): Promise<void> {
    const { door, store } = this.#options;
    door.open(workspace.id, observed.target);
    const recorded = await store.get(workspace.id);
    await store.transition(workspace.id, ['Starting', 'Running'], {
      ...observed.change,
      // Who would have told their end is gone.
      steps:
        recorded && interruptSteps(recorded.steps, this.#now().toISOString()),
    });
  }

  /** Ends a stop that was begun, perhaps by a process that is no more. */
  async finishStop(workspace: { id: string; owner: string }): Promise<void> {
    const { door, runtime, store } = this.#options;
    await this.#abortStart(workspace.id);
    await door.close(workspace.id);
    await runtime.stop(workspace.id);
    await this.#recorders.close(workspace.id);
    await store.transition(workspace.id, ['Stopping'], {
      status: 'Stopped',
      extendedUntil: null,
    });
    this.#changed(workspace, 'Stopped');
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
    this.#unsubscribe();
    for (const { controller } of this.#starts.values()) {
      controller.abort();
    }
    await Promise.allSettled(this.#background);
    await this.#recorders.closeAll();
    if (options.stopWorkspaces) {
      await this.#recordStopAll();
    }
    await this.#options.runtime.shutdown(options);
  }

  async #delete(id: string): Promise<void> {
    const { door, runtime, store } = this.#options;
    await this.#abortStart(id);
    await door.close(id);
    await runtime.delete(id);
    await this.#recorders.close(id);
    await store.remove(id);
  }

  async #start(workspace: Workspace, start: RunningStart): Promise<void> {
    const { door, outcomes, runtime, store } = this.#options;
    const { signal } = start.controller;
    const begun = this.#now().getTime();
    const { id } = workspace;
    const recorder = await this.#recorders.open(workspace);
    let change: WorkspaceChange;
    try {
      signal.throwIfAborted();
      const { editor, target } = await runtime.start(
        workspace,
        recorder,
        signal,
      );
      start.answered = true;
      door.open(id, target);
      const now = this.#now().toISOString();
      change = {
        status: 'Running',
        editor,
        failed: false,
        statusMessage: null,
        startedAt: now,
        lastUsedAt: now,
      };
    } catch (error) {
      if (signal.aborted) {
        // Whoever aborted decides what the workspace is now. On shutdown it
        // stays Starting, and the next process starts it again.
        await recorder.flush();
        return;
      }
      const cause = messageOf(error);
      recorder.fail(cause);
      change = { status: 'Stopped', failed: true, statusMessage: cause };
    }
    await recorder.flush();
    const moved = await store.transition(id, ['Starting'], change);
    if (!moved) {
      await this.#undoStart(id);
    } else if (change.failed) {
      this.#changed(workspace, 'Stopped');
      outcomes.failed(workspace, change.statusMessage ?? '');
    } else {
      this.#changed(workspace, 'Running');
      outcomes.ready(workspace, this.#now().getTime() - begun);
    }
  }

  /**
   * Ends what a start brought up although a stop or a deletion had overtaken
   * it between the record and the runtime, where neither could abort it.
   */
  async #undoStart(id: string): Promise<void> {
    const { door, runtime, store } = this.#options;
    await door.close(id);
    if (await store.get(id)) {
      await runtime.stop(id);
    } else {
      await runtime.delete(id);
    }
  }

  async #onExit(exit: WorkspaceExit): Promise<void> {
    const { door, outcomes, store } = this.#options;
    const start = this.#starts.get(exit.id);
    if (start?.answered) {
      // It died before its record said that it runs: let the record catch up.
      await start.done;
    }
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

  async #abortStart(id: string): Promise<void> {
    const start = this.#starts.get(id);
    start?.controller.abort();
    await start?.done;
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
