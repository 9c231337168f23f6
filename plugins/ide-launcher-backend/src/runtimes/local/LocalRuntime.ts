import { existsSync } from 'node:fs';
import { ServiceUnavailableError } from '@backstage/errors';
import {
  EditorAvailability,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import { Devfile } from '../../devfile/types';
import {
  ObservedWorkspace,
  PortTarget,
  StartedWorkspace,
  StartReporter,
  WorkspaceExit,
  WorkspaceRuntime,
  WorkspaceSpec,
} from '../WorkspaceRuntime';
import {
  discardFolder,
  findWorkspaceFolders,
  removeDiscarded,
} from './files/WorkspacePaths';
import { WorkspaceMonitor } from './limits/WorkspaceMonitor';
import { describeUnsupported } from './localDevfile';
import { WorkspacePorts } from './network/workspacePorts';
import { clearWorkspace, Lease } from './process/guard';
import { IdeProcess } from './process/IdeProcess';
import { sweepProcesses } from './process/processTable';
import { describeIsolation } from './sandbox/Sandbox';
import { StartDependencies, WorkspaceStart } from './WorkspaceStart';

/** A workspace with a responding editor. */
interface RunningWorkspace {
  ide: IdeProcess;
  /** Aborts the commands that still run after the start. */
  commands: AbortController;
}

/** Runs workspaces as processes on this machine, each with its own Unix socket. */
export class LocalRuntime implements WorkspaceRuntime {
  readonly kind = 'local';
  readonly #dependencies: StartDependencies;
  readonly #lease: Lease;
  readonly #monitor: WorkspaceMonitor;
  readonly #ports: WorkspacePorts;
  readonly #running = new Map<string, RunningWorkspace>();
  readonly #starts = new Map<string, Promise<unknown>>();
  /**
   * The ends in progress, by workspace, so that a stop can join the cleanup after an editor that ended
   * unexpectedly.
   */
  readonly #ends = new Map<string, Promise<void>>();
  readonly #exitListeners = new Set<(exit: WorkspaceExit) => void>();
  readonly #shutdown = new AbortController();

  /**
   * Creates a runtime without workspaces; {@link list} adopts those that an earlier portal left running.
   *
   * @param lease - already active; the runtime ends it at shutdown.
   */
  constructor(dependencies: StartDependencies, lease: Lease) {
    const { installation, options } = dependencies;
    this.#dependencies = dependencies;
    this.#lease = lease;
    this.#ports = new WorkspacePorts(installation.installation);
    this.#monitor = new WorkspaceMonitor({
      installation: installation.installation,
      limits: options.limits,
      running: this.#running,
      // Killed immediately: a graceful stop would let it use up shared resources even longer.
      onExceeded: (id, reason) => void this.#endUnasked({ id, reason }, 0),
    });
  }

  /**
   * Installs an editor if there is none. A failure is logged and remains readable in
   * {@link editor}; the next start tries again.
   */
  prepare(): void {
    const { editors, options } = this.#dependencies;
    if (options.managedTool) {
      editors
        .require(new AbortController().signal, () => {})
        .catch(() => undefined);
    }
  }

  editor(): EditorAvailability {
    return this.#dependencies.editors.availability();
  }

  isolation(workspaceId = ''): WorkspaceIsolation {
    const { isolation, options } = this.#dependencies;
    return (
      this.#running.get(workspaceId)?.ide.state.isolation ??
      describeIsolation(isolation, options.limits.memoryBytes)
    );
  }

  unsupported(devfile: Devfile): string[] {
    return describeUnsupported(devfile);
  }

  /** Starts a workspace, and its postStart commands in the background. */
  async start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace> {
    const { id } = spec;
    const present = this.#running.get(id);
    if (present) {
      return present.ide.started;
    }
    const start = new WorkspaceStart(this.#dependencies, spec, reporter);
    const launched = this.#launch(
      id,
      start,
      AbortSignal.any([signal, this.#shutdown.signal]),
    );
    this.#starts.set(
      id,
      launched.catch(() => undefined),
    );
    try {
      const { ide, commands } = await launched;
      // Not awaited: the editor is useful while the commands are still running.
      start.runPostStart(ide, commands.signal).catch(error => {
        this.#dependencies.options.logger.warn(
          `The postStart commands of ${id} failed`,
          error,
        );
      });
      return ide.started;
    } finally {
      this.#starts.delete(id);
    }
  }

  async stop(id: string): Promise<void> {
    const { installation, options } = this.#dependencies;
    installation.of(id);
    await this.#end(id, options.limits.stopTimeoutMs);
  }

  async delete(id: string): Promise<void> {
    await this.stop(id);
    await discardFolder(this.#dependencies.installation.workspaces, id);
  }

  async list(): Promise<ObservedWorkspace[]> {
    const { installation } = this.#dependencies;
    await removeDiscarded(installation.workspaces);
    const ids = await findWorkspaceFolders(installation.workspaces);
    await Promise.all(
      // A workspace that cannot be cleaned up must not prevent the portal from starting.
      ids.map(id => this.#adopt(id).catch(this.#leftoversOf(id))),
    );
    await sweepProcesses(installation.installation, id => !this.#has(id));
    return ids.map(id => {
      const running = this.#running.get(id);
      return {
        id,
        running: running !== undefined,
        target: null,
        editor: null,
        ...running?.ide.started,
      };
    });
  }

  async port(id: string, targetPort: number): Promise<PortTarget | null> {
    const ide = this.#running.get(id)?.ide;
    if (ide?.agent && ide.state.isolation?.network === 'own') {
      return ide.agent.port(targetPort);
    }
    return ide ? this.#ports.find(id, targetPort) : null;
  }

  onExit(listener: (exit: WorkspaceExit) => void): () => void {
    this.#exitListeners.add(listener);
    return () => this.#exitListeners.delete(listener);
  }

  /** Rejects new starts, aborts current ones, completes stops, and stops or releases all other editors. */
  async shutdown(options: { stopWorkspaces: boolean }): Promise<void> {
    this.#dependencies.editors.shutdown();
    this.#exitListeners.clear();
    this.#shutdown.abort(
      new ServiceUnavailableError('The portal is shutting down'),
    );
    const begun = [this.#starts, this.#ends].flatMap(map => [...map.values()]);
    await Promise.allSettled(begun);
    if (options.stopWorkspaces) {
      // All of them, even if one cannot be cleaned up.
      await Promise.all(
        [...this.#running.keys()].map(id =>
          this.stop(id).catch(this.#leftoversOf(id)),
        ),
      );
    }
    this.#monitor.stop();
    await Promise.all(
      [...this.#running.values()].map(({ ide }) => ide.release()),
    );
    this.#lease.stop();
  }

  /** Returns whether a workspace is running, starting or ending here. */
  #has(id: string): boolean {
    return [this.#running, this.#starts, this.#ends].some(map => map.has(id));
  }

  async #launch(
    id: string,
    start: WorkspaceStart,
    signal: AbortSignal,
  ): Promise<RunningWorkspace> {
    signal.throwIfAborted();
    try {
      await clearWorkspace(this.#dependencies, id);
      signal.throwIfAborted();
      return this.#add(id, await start.run(signal));
    } catch (error) {
      await clearWorkspace(this.#dependencies, id);
      throw error;
    }
  }

  /** Adds a workspace with a responding editor, and watches for its end. */
  #add(id: string, ide: IdeProcess): RunningWorkspace {
    const { stopTimeoutMs } = this.#dependencies.options.limits;
    const workspace = { ide, commands: new AbortController() };
    this.#running.set(id, workspace);
    void ide.exited.then(reason => {
      if (this.#running.get(id) === workspace) {
        void this.#endUnasked({ id, reason }, stopTimeoutMs);
      }
    });
    return workspace;
  }

  /** Adopts the editor that an earlier portal left running, or cleans up its leftovers. */
  async #adopt(id: string): Promise<void> {
    const paths = this.#dependencies.installation.of(id);
    if (this.#has(id) || !existsSync(paths.runState)) {
      return;
    }
    const ide = await IdeProcess.adopt(paths);
    if (ide) {
      this.#add(id, ide);
    } else {
      await this.stop(id);
    }
  }

  /** Ends all processes of a workspace and forgets it; joins an end in progress. */
  async #end(id: string, patienceMs: number): Promise<void> {
    const end =
      this.#ends.get(id) ??
      this.#endNow(id, patienceMs).finally(() => this.#ends.delete(id));
    this.#ends.set(id, end);
    await end;
  }

  async #endNow(id: string, patienceMs: number): Promise<void> {
    const workspace = this.#running.get(id);
    this.#running.delete(id);
    workspace?.commands.abort();
    await workspace?.ide.end(patienceMs);
    await clearWorkspace(this.#dependencies, id);
  }

  /** Ends a workspace, including its terminals, without a request from the user, and reports why. */
  async #endUnasked(exit: WorkspaceExit, patienceMs: number): Promise<void> {
    const { id } = exit;
    // It may have been stopped in the meantime.
    if (this.#shutdown.signal.aborted || !this.#running.has(id)) {
      return;
    }
    await this.#end(id, patienceMs).catch(this.#leftoversOf(id));
    this.#exitListeners.forEach(listener => listener(exit));
  }

  /** Returns a function that logs why a workspace could not be cleaned up. */
  #leftoversOf(id: string): (error: Error) => void {
    return error =>
      this.#dependencies.options.logger.error(
        `The leftovers of ${id} could not be cleaned up`,
        error,
      );
  }
}
