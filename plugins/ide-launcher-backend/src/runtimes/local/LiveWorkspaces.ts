import { existsSync } from 'node:fs';
import { ServiceUnavailableError } from '@backstage/errors';
import { SharedWork } from '../../SharedWork';
import {
  StartReporter,
  WorkspaceExit,
  WorkspaceSpec,
} from '../WorkspaceRuntime';
import { clearWorkspace } from './clearWorkspace';
import { IdeProcess } from './process/IdeProcess';
import {
  RunningWorkspace,
  RunningWorkspaces,
  UnaskedEnd,
} from './RunningWorkspaces';
import { StartDependencies } from './WorkspaceStart';
import { StartsUnderWay } from './StartsUnderWay';
import { WorkspaceStart } from './WorkspaceStart';

/**
 * The workspaces that start, run or stop here. A workspace starts and stops at
 * most once at a time: a stop aborts its start, and a start waits for its stop.
 */
export class LiveWorkspaces {
  readonly #dependencies: StartDependencies;
  readonly #running: RunningWorkspaces;
  readonly #starts = new StartsUnderWay();
  readonly #stops = new SharedWork();
  readonly #exitListeners = new Set<(exit: WorkspaceExit) => void>();
  #isShutDown = false;

  constructor(dependencies: StartDependencies) {
    const { installation, options } = dependencies;
    this.#dependencies = dependencies;
    this.#running = new RunningWorkspaces({
      installation: installation.installation,
      limits: options.limits,
      onUnaskedEnd: (id, end) => void this.#endUnasked(id, end),
    });
  }

  /** The editor of a workspace; undefined when it does not run. */
  ide(id: string): IdeProcess | undefined {
    return this.#running.ide(id);
  }

  /** Whether a workspace runs, starts or stops here. */
  has(id: string): boolean {
    return this.#running.has(id) || this.#starts.has(id) || this.#stops.has(id);
  }

  /** Starts a workspace, and its postStart commands in the background. @returns the editor, of one that runs already as well. */
  async start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<IdeProcess> {
    await this.#stops.ended(spec.id);
    if (this.#isShutDown) {
      throw shutdownError();
    }
    const present = this.#running.ide(spec.id);
    if (present) {
      return present;
    }
    const start = new WorkspaceStart(this.#dependencies, spec, reporter);
    const { ide, commands } = await this.#starts.run(
      spec.id,
      signal,
      abortable => this.#runStart(spec.id, start, abortable),
    );
    // Not awaited: the editor is of use while the commands still run.
    start.runPostStart(ide, commands.signal).catch(error => {
      this.#dependencies.options.logger.warn(
        `The postStart commands of ${spec.id} failed`,
        error,
      );
    });
    return ide;
  }

  /** Ends whatever runs of a workspace. Idempotent. @throws InputError when the id is not one of ours. */
  async stop(id: string): Promise<void> {
    const { installation, options } = this.#dependencies;
    installation.of(id);
    const { stopTimeoutMs } = options.limits;
    await this.#stops.run(id, () => this.#end(id, stopTimeoutMs));
  }

  /** Takes over the editor that an earlier portal left, or clears away what is left of it. */
  async adopt(id: string): Promise<void> {
    const paths = this.#dependencies.installation.of(id);
    if (this.has(id) || !existsSync(paths.runState)) {
      return;
    }
    const ide = await IdeProcess.adopt(paths);
    if (this.has(id)) {
      await ide?.release();
    } else if (ide) {
      this.#running.add(id, ide);
    } else {
      // As a stop: a start that comes now waits for it.
      await this.stop(id);
    }
  }

  /** Calls the listener with each workspace that ended unasked. @returns an unsubscribe function. */
  onExit(listener: (exit: WorkspaceExit) => void): () => void {
    this.#exitListeners.add(listener);
    return () => this.#exitListeners.delete(listener);
  }

  /** Takes no more starts and ends those under way; what runs is stopped, or let go of. */
  async shutdown(options: { stopWorkspaces: boolean }): Promise<void> {
    this.#isShutDown = true;
    this.#exitListeners.clear();
    await this.#starts.abortAll(shutdownError());
    if (options.stopWorkspaces) {
      await Promise.all(this.#running.ids().map(id => this.stop(id)));
    }
    await this.#running.release();
  }

  async #runStart(
    id: string,
    start: WorkspaceStart,
    signal: AbortSignal,
  ): Promise<RunningWorkspace> {
    try {
      await clearWorkspace(this.#dependencies, id);
      signal.throwIfAborted();
      return this.#running.add(id, await start.run(signal));
    } catch (error) {
      await clearWorkspace(this.#dependencies, id);
      throw error;
    }
  }

  /** Ends what runs of a workspace, whoever started it, and forgets it. */
  async #end(id: string, patienceMs: number): Promise<void> {
    if (this.#starts.has(id)) {
      const message = 'The workspace was stopped while it started';
      await this.#starts.abort(id, new ServiceUnavailableError(message));
    }
    await this.#running.end(id, patienceMs);
    await clearWorkspace(this.#dependencies, id);
  }

  /** Ends a workspace that nobody asked to end, and tells why. */
  async #endUnasked(id: string, end: UnaskedEnd): Promise<void> {
    if (this.#isShutDown || this.#stops.has(id)) {
      return;
    }
    // As a stop, for the same reason; the terminals of a dead editor must not live on.
    await this.#stops
      .run(id, () => this.#end(id, end.patienceMs))
      .catch(error =>
        this.#dependencies.options.logger.error(
          `What ${id} left could not be cleared`,
          error,
        ),
      );
    this.#exitListeners.forEach(tell => tell({ id, reason: end.reason }));
  }
}

function shutdownError() {
  return new ServiceUnavailableError('The portal is shutting down');
}
