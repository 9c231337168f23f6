import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ConflictError, ServiceUnavailableError } from '@backstage/errors';
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
import { EditorProvider } from './EditorProvider';
import { writeGitCaBundle } from './gitCaBundle';
import { clearWorkspace } from './clearWorkspace';
import { GitGuard } from './GitGuard';
import { IdeProcess } from './IdeProcess';
import { describeIsolation, Isolation } from './isolation/chooseIsolation';
import { sandboxPort } from './isolation/sandboxPort';
import { Lease } from './Lease';
import { findWorkspacePort } from './listeningPorts';
import { LocalRuntimeOptions } from './LocalRuntimeOptions';
import { sweepProcesses } from './processTable';
import { Semaphore } from './Semaphore';
import { describeUnsupported } from './unsupported';
import { findWorkspaceFolders, removeDiscarded } from './workspaceFolders';
import {
  WatchedLimits,
  watchedLimits,
  WorkspaceMonitor,
} from './WorkspaceMonitor';
import { InstallationPaths } from './WorkspacePaths';
import { StartDependencies, WorkspaceStart } from './WorkspaceStart';
import { ArchiveSource } from './zip/ArchiveSource';

const MONITOR_INTERVAL_MS = 1_000;

/** A workspace whose editor answers. */
interface RunningWorkspace {
  ide: IdeProcess;
  /** Ends the commands that still run after the start. */
  commands: AbortController;
}

/** Runs workspaces as processes of this machine, each on a Unix socket of its own. */
export class LocalRuntime implements WorkspaceRuntime {
  readonly kind = 'local';

  private readonly running = new Map<string, RunningWorkspace>();
  private readonly starting = new Map<
    string,
    { abort: AbortController; done: Promise<unknown> }
  >();
  private readonly stopping = new Map<string, Promise<void>>();
  private readonly exitListeners = new Set<(exit: WorkspaceExit) => void>();
  private readonly monitor: WorkspaceMonitor;
  private isShutDown = false;

  private constructor(
    private readonly dependencies: StartDependencies,
    private readonly lease: Lease,
  ) {
    const { installation } = dependencies;
    this.monitor = new WorkspaceMonitor({
      installation: installation.installation,
      intervalMs: MONITOR_INTERVAL_MS,
      watched: () => this.watchedLimits(),
      onExceeded: (id, reason) => this.endForExcess(id, reason),
    });
  }

  /**
   * Prepares the data folder and looks for an editor. What still runs is taken
   * over by {@link WorkspaceRuntime.list}.
   *
   * @param dependencies.lease - beats already; ends with the runtime.
   */
  static create(
    options: LocalRuntimeOptions,
    dependencies: {
      isolation: Isolation;
      gitGuard: GitGuard;
      archives: ArchiveSource;
      lease: Lease;
    },
  ): LocalRuntime {
    const { isolation, gitGuard, archives, lease } = dependencies;
    const installation = new InstallationPaths(options.dataDir);
    installation.create();
    let caBundle: string | undefined;
    if (options.caFile) {
      caBundle = path.join(options.dataDir, 'git-ca.pem');
      writeGitCaBundle(options.caFile, caBundle);
    }
    return new LocalRuntime(
      {
        options,
        installation,
        isolation,
        gitGuard,
        archives,
        editors: new EditorProvider(options),
        turns: new Semaphore(options.limits.concurrentStarts),
        caBundle,
      },
      lease,
    );
  }

  /**
   * Brings an editor when there is none. A failure is logged and stays readable
   * in {@link editor}; the next start tries again.
   */
  prepare(): void {
    const { editors, options } = this.dependencies;
    if (options.managedTool) {
      editors
        .require(new AbortController().signal, () => {})
        .catch(() => undefined);
    }
  }

  editor(): EditorAvailability {
    return this.dependencies.editors.availability();
  }

  isolation(workspaceId?: string): WorkspaceIsolation {
    const running = workspaceId && this.running.get(workspaceId);
    const { isolation, options } = this.dependencies;
    return (
      (running && running.ide.state.isolation) ||
      describeIsolation(isolation, options.limits.memoryBytes)
    );
  }

  unsupported(devfile: Devfile): string[] {
    return describeUnsupported(devfile);
  }

  async start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace> {
    if (this.isShutDown) {
      throw new ServiceUnavailableError('The portal is shutting down');
    }
    await this.stopping.get(spec.id);
    const present = this.running.get(spec.id);
    if (present) {
      return describeStarted(present.ide);
    }
    if (this.starting.has(spec.id)) {
      throw new ConflictError('The workspace is already starting');
    }
    const start = new WorkspaceStart(this.dependencies, spec, reporter);
    const abort = new AbortController();
    const done = this.runStart(
      spec.id,
      start,
      AbortSignal.any([signal, abort.signal]),
    );
    this.starting.set(spec.id, { abort, done: done.catch(() => undefined) });
    try {
      const { ide, commands } = await done;
      // Not awaited: the editor is of use while the commands still run.
      start.runPostStart(ide, commands.signal).catch(error => {
        this.dependencies.options.logger.warn(
          `The postStart commands of ${spec.id} failed`,
          error,
        );
      });
      return describeStarted(ide);
    } finally {
      this.starting.delete(spec.id);
    }
  }

  async stop(id: string): Promise<void> {
    this.dependencies.installation.of(id);
    const current =
      this.stopping.get(id) ??
      this.end(id).finally(() => this.stopping.delete(id));
    this.stopping.set(id, current);
    await current;
  }

  async delete(id: string): Promise<void> {
    const { installation } = this.dependencies;
    const { root } = installation.of(id);
    await this.stop(id);
    // Renamed first: a removal that is cut short leaves no half workspace.
    const discarded = path.join(installation.workspaces, `.discarded-${id}`);
    await rm(discarded, { recursive: true, force: true });
    await rename(root, discarded).catch(error => {
      if (error.code !== 'ENOENT') {
        throw error;
      }
    });
    await rm(discarded, { recursive: true, force: true, maxRetries: 3 });
  }

  async list(): Promise<ObservedWorkspace[]> {
    const { installation } = this.dependencies;
    await removeDiscarded(installation.workspaces);
    const ids = await findWorkspaceFolders(installation.workspaces);
    await Promise.all(
      ids.map(id =>
        // One that cannot be cleared must not keep the portal from starting.
        this.adopt(id).catch(error =>
          this.dependencies.options.logger.error(
            `What is left of ${id} could not be cleared`,
            error,
          ),
        ),
      ),
    );
    await sweepProcesses(
      installation.installation,
      id => !this.running.has(id) && !this.isChanging(id),
    );
    return ids.map(id => {
      const ide = this.running.get(id)?.ide;
      return {
        id,
        running: ide !== undefined,
        target: ide ? { kind: 'socket', path: ide.socketPath } : null,
        editor: ide?.state.editor ?? null,
      };
    });
  }

  async port(id: string, targetPort: number): Promise<PortTarget | null> {
    const ide = this.running.get(id)?.ide;
    if (ide?.agent && ide.state.isolation?.network === 'own') {
      return sandboxPort(ide.agent, targetPort);
    }
    return ide
      ? findWorkspacePort({
          installation: this.dependencies.installation.installation,
          workspaceId: id,
          port: targetPort,
        })
      : null;
  }

  onExit(listener: (exit: WorkspaceExit) => void): () => void {
    this.exitListeners.add(listener);
    return () => this.exitListeners.delete(listener);
  }

  async shutdown(options: { stopWorkspaces: boolean }): Promise<void> {
    this.isShutDown = true;
    this.exitListeners.clear();
    this.dependencies.editors.shutdown();
    const starting = [...this.starting.values()];
    starting.forEach(({ abort }) => abort.abort(shutdownError()));
    await Promise.all(starting.map(({ done }) => done));
    if (options.stopWorkspaces) {
      await Promise.all([...this.running.keys()].map(id => this.stop(id)));
    }
    await Promise.all(
      [...this.running.values()].map(({ ide }) => ide.release()),
    );
    this.monitor.stop();
    this.lease.stop();
  }

  private async runStart(
    id: string,
    start: WorkspaceStart,
    signal: AbortSignal,
  ): Promise<RunningWorkspace> {
    try {
      await clearWorkspace(this.dependencies, id);
      signal.throwIfAborted();
      return this.keep(id, await start.run(signal));
    } catch (error) {
      await clearWorkspace(this.dependencies, id);
      throw error;
    }
  }

  /** Ends what runs of a workspace, whoever started it, and forgets it. */
  private async end(id: string): Promise<void> {
    const starting = this.starting.get(id);
    starting?.abort.abort(
      new ServiceUnavailableError('The workspace was stopped while it started'),
    );
    await starting?.done;
    const workspace = this.running.get(id);
    this.running.delete(id);
    workspace?.commands.abort();
    await workspace?.ide.end(this.dependencies.options.limits.stopTimeoutMs);
    await clearWorkspace(this.dependencies, id);
  }

  private async adopt(id: string): Promise<void> {
    if (this.running.has(id) || this.isChanging(id)) {
      return;
    }
    const paths = this.dependencies.installation.of(id);
    if (!existsSync(paths.runState)) {
      return;
    }
    const ide = await IdeProcess.adopt(paths);
    if (this.running.has(id) || this.isChanging(id)) {
      await ide?.release();
    } else if (ide) {
      this.keep(id, ide);
    } else {
      // Through stop: a start that comes now waits for it.
      await this.stop(id);
    }
  }

  private keep(id: string, ide: IdeProcess): RunningWorkspace {
    const workspace = { ide, commands: new AbortController() };
    this.running.set(id, workspace);
    ide.exited.then(async reason => {
      if (this.running.get(id) !== workspace || this.isShutDown) {
        return;
      }
      // Through stop: the terminals of a dead editor must not live on.
      await this.stop(id).catch(error =>
        this.dependencies.options.logger.error(
          `What ${id} left could not be cleared`,
          error,
        ),
      );
      this.exitListeners.forEach(tell => tell({ id, reason }));
    });
    return workspace;
  }

  private watchedLimits(): Map<string, WatchedLimits> {
    const { limits } = this.dependencies.options;
    return new Map(
      [...this.running].map(([id, { ide }]) => [
        id,
        watchedLimits(ide.state.isolation, limits),
      ]),
    );
  }

  /** Ends a workspace as if its editor had ended by itself, and tells why. */
  private endForExcess(id: string, reason: string): void {
    const { ide } = this.running.get(id) ?? {};
    this.running.delete(id);
    // At once: it takes from everybody what asking it to end would wait for.
    Promise.resolve(ide?.end(0))
      .then(() => this.stop(id))
      .then(() => this.exitListeners.forEach(tell => tell({ id, reason })))
      .catch(error =>
        this.dependencies.options.logger.error(
          `${id} is over its limits and could not be stopped`,
          error,
        ),
      );
  }

  private isChanging(id: string): boolean {
    return this.starting.has(id) || this.stopping.has(id);
  }
}

function describeStarted(ide: IdeProcess): StartedWorkspace {
  return {
    target: { kind: 'socket', path: ide.socketPath },
    editor: ide.state.editor,
  };
}

function shutdownError() {
  return new ServiceUnavailableError('The portal is shutting down');
}
