import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { SharedWork } from '../SharedWork';
import { IdeDoor } from './IdeDoor';
import { StartRecorders } from './StartRecorders';
import { WorkspaceChange, WorkspaceSummary } from './Workspace';
import { WorkspaceStarts } from './WorkspaceStarts';
import { WorkspaceStore } from './storage/WorkspaceStore';

type StoppingWorkspace = Pick<WorkspaceSummary, 'id' | 'owner'>;

/** What {@link WorkspaceStops} work with. */
interface WorkspaceStopsOptions {
  store: WorkspaceStore;
  runtime: WorkspaceRuntime;
  door: IdeDoor;
  starts: WorkspaceStarts;
  recorders: StartRecorders;
  /** Told of what a stop has changed on its workspace. */
  onMoved(workspace: StoppingWorkspace, status: WorkspaceStatus): void;
}

/** The stops under way: at most one of a workspace. One that an error holds up says so, and can be tried again. */
export class WorkspaceStops {
  readonly #options: WorkspaceStopsOptions;
  readonly #stops = new SharedWork();
  /** Status messages of workspaces whose stop is held up, as they were before. */
  readonly #heldUp = new Map<string, string | null>();

  constructor(options: WorkspaceStopsOptions) {
    this.#options = options;
  }

  /** Whether a workspace is being stopped here. */
  has(id: string): boolean {
    return this.#stops.has(id);
  }

  /** Stops a workspace that is Stopping. Callers at once share one stop. */
  async run(workspace: StoppingWorkspace): Promise<void> {
    await this.#stops.run(workspace.id, () => this.#stop(workspace));
  }

  /**
   * Ends the hold-up of a stop, if there is one.
   *
   * @returns what its workspace is to say again instead: the stop's own reason.
   */
  endHoldUp(id: string): Pick<WorkspaceChange, 'statusMessage'> {
    const statusMessage = this.#heldUp.get(id);
    this.#heldUp.delete(id);
    return statusMessage === undefined ? {} : { statusMessage };
  }

  async #stop(workspace: StoppingWorkspace): Promise<void> {
    const { door, onMoved, recorders, runtime, starts, store } = this.#options;
    const { id } = workspace;
    await starts.abort(id);
    await door.close(id);
    try {
      await runtime.stop(id);
    } catch (error) {
      await this.#holdUp(workspace, error);
      throw error;
    }
    await recorders.close(id);
    await store.transition(id, ['Stopping'], {
      status: 'Stopped',
      extendedUntil: null,
      ...this.endHoldUp(id),
    });
    onMoved(workspace, 'Stopped');
  }

  /** Says why a stop takes so long. */
  async #holdUp(workspace: StoppingWorkspace, error: unknown): Promise<void> {
    const { onMoved, store } = this.#options;
    const { id } = workspace;
    const recorded = await store.get(id);
    if (recorded && !this.#heldUp.has(id)) {
      this.#heldUp.set(id, recorded.statusMessage);
    }
    await store.transition(id, ['Stopping'], {
      statusMessage: error instanceof Error ? error.message : String(error),
    });
    onMoved(workspace, 'Stopping');
  }
}
