import { IdeProcess } from './process/IdeProcess';
import { LocalRuntimeLimits } from './options';
import { watchedLimits, WorkspaceMonitor } from './limits/WorkspaceMonitor';

const MONITOR_INTERVAL_MS = 1_000;

/** A workspace whose editor answers. */
export interface RunningWorkspace {
  ide: IdeProcess;
  /** Ends the commands that still run after the start. */
  commands: AbortController;
}

/** Why a workspace ends, or has to, that nobody has asked to end. */
export interface UnaskedEnd {
  /** A sentence for people. */
  reason: string;
  /** How long its editor may take to end. */
  patienceMs: number;
}

/** What {@link RunningWorkspaces} are held to, and who hears of their ends. */
interface RunningWorkspacesOptions {
  installation: string;
  limits: Pick<
    LocalRuntimeLimits,
    'memoryBytes' | 'processes' | 'stopTimeoutMs'
  >;
  /** Told of a workspace whose editor has ended by itself, or that uses more than it may; it is still among these. */
  onUnaskedEnd(id: string, end: UnaskedEnd): void;
}

/** The workspaces whose editor answers; watched for what ends them unasked. */
export class RunningWorkspaces {
  readonly #options: RunningWorkspacesOptions;
  readonly #running = new Map<string, RunningWorkspace>();
  readonly #monitor: WorkspaceMonitor;

  constructor(options: RunningWorkspacesOptions) {
    const { installation, limits, onUnaskedEnd } = options;
    this.#options = options;
    this.#monitor = new WorkspaceMonitor({
      installation,
      intervalMs: MONITOR_INTERVAL_MS,
      watched: () =>
        new Map(
          [...this.#running].map(([id, { ide }]) => [
            id,
            watchedLimits(ide.state.isolation, limits),
          ]),
        ),
      onExceeded: (id, reason) => {
        // It may have been stopped while its use was counted.
        if (this.#running.has(id)) {
          // At once: it takes from everybody what asking it to end would wait for.
          onUnaskedEnd(id, { reason, patienceMs: 0 });
        }
      },
    });
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** The editor of a workspace; undefined when it does not run. */
  ide(id: string): IdeProcess | undefined {
    return this.#running.get(id)?.ide;
  }

  ids(): string[] {
    return [...this.#running.keys()];
  }

  /** Takes a workspace in whose editor answers. */
  add(id: string, ide: IdeProcess): RunningWorkspace {
    const workspace = { ide, commands: new AbortController() };
    this.#running.set(id, workspace);
    void ide.exited.then(reason => {
      if (this.#running.get(id) === workspace) {
        const { onUnaskedEnd, limits } = this.#options;
        onUnaskedEnd(id, { reason, patienceMs: limits.stopTimeoutMs });
      }
    });
    return workspace;
  }

  /** Ends the commands and the editor of a workspace, and forgets it; from the call on it is no longer among these. */
  async end(id: string, patienceMs: number): Promise<void> {
    const workspace = this.#running.get(id);
    this.#running.delete(id);
    workspace?.commands.abort();
    await workspace?.ide.end(patienceMs);
  }

  /** Lets go of all of them; their editors go on. */
  async release(): Promise<void> {
    this.#monitor.stop();
    await Promise.all(
      [...this.#running.values()].map(({ ide }) => ide.release()),
    );
  }
}
