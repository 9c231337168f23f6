import {
  StartFailedError,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { StartRecorders } from './StartRecorders';
import { Workspace, WorkspaceChange } from './Workspace';
import { IdeDoor } from './IdeDoor';
import { WorkspaceOutcomes } from './WorkspaceNotifications';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What {@link WorkspaceStarts} works with. */
interface WorkspaceStartsOptions {
  store: WorkspaceStore;
  runtime: WorkspaceRuntime;
  door: IdeDoor;
  outcomes: WorkspaceOutcomes;
  recorders: StartRecorders;
  /** Told that a start has moved its workspace to another state. */
  onMoved(
    workspace: Workspace,
    status: 'Running' | 'Stopping' | 'Stopped',
  ): void;
  now(): Date;
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

/** The starts under way: at most one of a workspace, each until its record says how it ended. */
export class WorkspaceStarts {
  readonly #options: WorkspaceStartsOptions;
  readonly #starts = new Map<string, RunningStart>();

  constructor(options: WorkspaceStartsOptions) {
    this.#options = options;
  }

  /** Starts a workspace that has just been moved to Starting. Resolves when its record says how it ended. */
  async run(workspace: Workspace): Promise<void> {
    const start: RunningStart = {
      controller: new AbortController(),
      done: Promise.resolve(),
      answered: false,
    };
    start.done = this.#start(workspace, start).finally(() =>
      this.#starts.delete(workspace.id),
    );
    this.#starts.set(workspace.id, start);
    await start.done;
  }

  /** Whether a workspace is being started here. */
  has(id: string): boolean {
    return this.#starts.has(id);
  }

  /** Aborts the start of a workspace, if there is one, and waits for its end. */
  async abort(id: string): Promise<void> {
    const start = this.#starts.get(id);
    start?.controller.abort();
    await start?.done;
  }

  /** Aborts every start, without waiting. */
  abortAll(): void {
    for (const { controller } of this.#starts.values()) {
      controller.abort();
    }
  }

  /** Waits for the record of a start whose IDE has answered already. */
  async untilRecorded(id: string): Promise<void> {
    const start = this.#starts.get(id);
    if (start?.answered) {
      await start.done;
    }
  }

  async #start(workspace: Workspace, start: RunningStart): Promise<void> {
    const { door, now, onMoved, outcomes, recorders, runtime, store } =
      this.#options;
    const { signal } = start.controller;
    const begun = now().getTime();
    const { id } = workspace;
    const recorder = await recorders.open(workspace);
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
      const answeredAt = now().toISOString();
      change = {
        status: 'Running',
        editor,
        failed: false,
        statusMessage: null,
        startedAt: answeredAt,
        lastUsedAt: answeredAt,
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
      change = {
        status:
          error instanceof StartFailedError && error.stillStopping
            ? 'Stopping'
            : 'Stopped',
        failed: true,
        statusMessage: cause,
      };
    }
    await recorder.flush();
    const moved = await store.transition(id, ['Starting'], change);
    if (!moved) {
      await this.#undoStart(id);
    } else if (change.failed) {
      onMoved(workspace, change.status === 'Stopping' ? 'Stopping' : 'Stopped');
      outcomes.failed(workspace, change.statusMessage ?? '');
    } else {
      onMoved(workspace, 'Running');
      outcomes.ready(workspace, now().getTime() - begun);
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
}
