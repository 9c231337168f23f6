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
import { IdeProcess } from './process/IdeProcess';
import { describeIsolation } from './sandbox/isolation';
import { sandboxPort } from './network/workspacePorts';
import { Lease } from './process/guard';
import { findWorkspacePort } from './network/workspacePorts';
import { LiveWorkspaces } from './LiveWorkspaces';
import { sweepProcesses } from './process/processTable';
import { StartDependencies } from './WorkspaceStart';
import { describeUnsupported } from './unsupported';
import {
  discardFolder,
  findWorkspaceFolders,
  removeDiscarded,
} from './files/WorkspacePaths';

/** Runs workspaces as processes of this machine, each on a Unix socket of its own. */
export class LocalRuntime implements WorkspaceRuntime {
  readonly kind = 'local';
  readonly #dependencies: StartDependencies;
  readonly #lease: Lease;
  readonly #workspaces: LiveWorkspaces;

  /**
   * What still runs of an earlier portal is taken over by {@link list}.
   *
   * @param lease - beats already; ends with the runtime.
   */
  constructor(dependencies: StartDependencies, lease: Lease) {
    this.#dependencies = dependencies;
    this.#lease = lease;
    this.#workspaces = new LiveWorkspaces(dependencies);
  }

  /**
   * Brings an editor when there is none. A failure is logged and stays readable
   * in {@link editor}; the next start tries again.
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

  isolation(workspaceId?: string): WorkspaceIsolation {
    const ide = workspaceId ? this.#workspaces.ide(workspaceId) : undefined;
    const { isolation, options } = this.#dependencies;
    return (
      ide?.state.isolation ??
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
    return describeStarted(
      await this.#workspaces.start(spec, reporter, signal),
    );
  }

  async stop(id: string): Promise<void> {
    await this.#workspaces.stop(id);
  }

  async delete(id: string): Promise<void> {
    await this.#workspaces.stop(id);
    await discardFolder(this.#dependencies.installation.workspaces, id);
  }

  async list(): Promise<ObservedWorkspace[]> {
    const { installation, options } = this.#dependencies;
    await removeDiscarded(installation.workspaces);
    const ids = await findWorkspaceFolders(installation.workspaces);
    await Promise.all(
      ids.map(id =>
        // One that cannot be cleared must not keep the portal from starting.
        this.#workspaces
          .adopt(id)
          .catch(error =>
            options.logger.error(
              `What is left of ${id} could not be cleared`,
              error,
            ),
          ),
      ),
    );
    await sweepProcesses(
      installation.installation,
      id => !this.#workspaces.has(id),
    );
    return ids.map(id => {
      const ide = this.#workspaces.ide(id);
      return {
        id,
        running: ide !== undefined,
        target: null,
        editor: null,
        ...(ide && describeStarted(ide)),
      };
    });
  }

  async port(id: string, targetPort: number): Promise<PortTarget | null> {
    const ide = this.#workspaces.ide(id);
    if (ide?.agent && ide.state.isolation?.network === 'own') {
      return sandboxPort(ide.agent, targetPort);
    }
    return ide
      ? findWorkspacePort({
          installation: this.#dependencies.installation.installation,
          workspaceId: id,
          port: targetPort,
        })
      : null;
  }

  onExit(listener: (exit: WorkspaceExit) => void): () => void {
    return this.#workspaces.onExit(listener);
  }

  async shutdown(options: { stopWorkspaces: boolean }): Promise<void> {
    this.#dependencies.editors.shutdown();
    await this.#workspaces.shutdown(options);
    this.#lease.stop();
  }
}

function describeStarted(ide: IdeProcess): StartedWorkspace {
  return {
    target: { kind: 'socket', path: ide.socketPath },
    editor: ide.state.editor,
  };
}
