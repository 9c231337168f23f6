import { existsSync } from 'node:fs';
import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { ServiceUnavailableError } from '@backstage/errors';
import {
  EditorAvailability,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import { readDevfileRules } from '../../devfile/DevfileReader';
import { KeyedQueue } from '../../queues';
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
  InstallationPaths,
  removeDiscarded,
} from './files/WorkspacePaths';
import { WorkspaceMonitor } from './limits/WorkspaceMonitor';
import { describeUnsupported, memoryLimitOf } from './localDevfile';
import { WorkspacePorts } from './network/workspacePorts';
import { LocalRuntimeOptions, readLocalRuntimeOptions } from './options';
import { clearWorkspace, Lease } from './process/guard';
import { IdeProcess } from './process/IdeProcess';
import { sweepProcesses } from './process/processTable';
import { RuledGitGuard, trustedWith } from './projects/cloneProject';
import { RuledArchiveSource } from './projects/unpackProject';
import { chooseIsolation } from './sandbox/isolation';
import { describeIsolation } from './sandbox/Sandbox';
import {
  createStartDependencies,
  StartDependencies,
  WorkspaceStart,
} from './WorkspaceStart';

/** Runs workspaces as processes on this machine, each with its own Unix socket. */
export class LocalRuntime implements WorkspaceRuntime {
  readonly kind = 'local';
  readonly unsupported = describeUnsupported;
  readonly #dependencies: StartDependencies;
  readonly #lease: Lease;
  readonly #monitor: WorkspaceMonitor;
  readonly #ports: WorkspacePorts;
  /** The workspaces with a responding editor. */
  readonly #running = new Map<string, IdeProcess>();
  /** The starts and ends in progress; a stop joins the cleanup after an editor that ended unexpectedly. */
  readonly #work = new KeyedQueue<'start' | 'end'>();
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

  isolation(
    workspace?: Pick<WorkspaceSpec, 'id' | 'devfile'>,
  ): WorkspaceIsolation {
    const { isolation, options } = this.#dependencies;
    const { memoryBytes } = options.limits;
    return (
      this.#running.get(workspace?.id ?? '')?.state.isolation ??
      describeIsolation(
        isolation,
        workspace ? memoryLimitOf(workspace.devfile, memoryBytes) : memoryBytes,
      )
    );
  }

  /** Starts a workspace, and its postStart commands in the background. */
  async start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace> {
    const ide = await this.#work.run(
      spec.id,
      'start',
      async () =>
        this.#running.get(spec.id) ?? this.#launch(spec, reporter, signal),
    );
    return ide.started;
  }

  async stop(id: string): Promise<void> {
    await this.#end(id, this.#dependencies.options.limits.stopTimeoutMs);
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
    return ids.map(id => ({
      id,
      running: this.#running.has(id),
      target: null,
      editor: null,
      ...this.#running.get(id)?.started,
    }));
  }

  async port(id: string, targetPort: number): Promise<PortTarget | null> {
    const ide = this.#running.get(id);
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
    await (options.stopWorkspaces ? this.#stopAll() : this.#work.idle());
    this.#monitor.stop();
    await Promise.all([...this.#running.values()].map(ide => ide.release()));
    this.#lease.stop();
  }

  /**
   * Stops all workspaces, even if some cannot be cleaned up, and waits for starts and stops in progress. Does
   * both in parallel, because each may take as long as a stop.
   */
  async #stopAll(): Promise<void> {
    const tried = new Set<string>();
    const stopOthers = async () => {
      const ids = [...this.#running.keys()].filter(id => !tried.has(id));
      ids.forEach(id => tried.add(id));
      await Promise.all(
        ids.map(id => this.stop(id).catch(this.#leftoversOf(id))),
      );
    };
    await Promise.all([stopOthers(), this.#work.idle()]);
    // A start may have succeeded before it noticed the shutdown.
    await stopOthers();
  }

  /** Returns whether a workspace is running, starting or ending here. */
  #has(id: string): boolean {
    return this.#running.has(id) || this.#work.has(id, 'start', 'end');
  }

  async #launch(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    cancelled: AbortSignal,
  ): Promise<IdeProcess> {
    const { id } = spec;
    const signal = AbortSignal.any([cancelled, this.#shutdown.signal]);
    const start = new WorkspaceStart(this.#dependencies, spec, reporter);
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
  #add(id: string, ide: IdeProcess): IdeProcess {
    const { stopTimeoutMs } = this.#dependencies.options.limits;
    this.#running.set(id, ide);
    void ide.exited.then(reason => {
      if (this.#running.get(id) === ide) {
        void this.#endUnasked({ id, reason }, stopTimeoutMs);
      }
    });
    return ide;
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
    await this.#work.share(id, 'end', async () => {
      const ide = this.#running.get(id);
      this.#running.delete(id);
      await ide?.end(patienceMs);
      await clearWorkspace(this.#dependencies, id);
    });
  }

  /** Ends a workspace, including its terminals, without a request from the user, and reports why. */
  async #endUnasked(exit: WorkspaceExit, patienceMs: number): Promise<void> {
    const { id } = exit;
    // It may have been stopped in the meantime.
    const isRunning = this.#running.has(id) && !this.#work.has(id, 'end');
    if (isRunning && !this.#shutdown.signal.aborted) {
      await this.#end(id, patienceMs).catch(this.#leftoversOf(id));
      this.#exitListeners.forEach(listener => listener(exit));
    }
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

/**
 * Creates the local runtime from `ideLauncher.local` of the root configuration.
 *
 * @throws Error if the required isolation does not work here.
 */
export async function createLocalRuntime(deps: {
  config: Config;
  logger: LoggerService;
  addresses: LocalRuntimeOptions['addresses'];
}): Promise<LocalRuntime> {
  const options = readLocalRuntimeOptions(deps.config, deps);
  const installation = new InstallationPaths(options.dataDir);
  installation.create();
  // Before anything slow: editors left by a killed portal are waiting for the lease.
  const lease = new Lease(installation.lease, options.lease.intervalMs);
  const isolation = await chooseIsolation(options, {
    production: process.env.NODE_ENV === 'production',
  }).catch(error => {
    lease.stop();
    throw error;
  });
  const reading = {
    rules: readDevfileRules(deps.config),
    ca: options.caFile ? trustedWith(options.caFile) : undefined,
  };
  const dependencies = createStartDependencies(options, {
    isolation,
    gitGuard: new RuledGitGuard(reading),
    archives: new RuledArchiveSource(reading),
  });
  return new LocalRuntime(dependencies, lease);
}
