import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { ConflictError } from '@backstage/errors';
import {
  EditorAvailability,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import { Devfile } from '../../devfile/types';
import {
  checkWorkspaceId,
  ObservedWorkspace,
  PortTarget,
  StartedWorkspace,
  StartReporter,
  ExternalWorkspaceChange,
  WorkspaceRuntime,
  WorkspaceSpec,
} from '../WorkspaceRuntime';
import { ClusterApi } from './api/ClusterApi';
import { checkNamespace } from './ensureObjects';
import { KubernetesStart } from './KubernetesStart';
import { ExternalChangeReporter } from './ExternalChangeReporter';
import { describeUnsupported } from './objects/devWorkspace';
import { managedSelector, workspaceIdOf } from './objects/types';
import {
  KubernetesRuntimeOptions,
  readKubernetesRuntimeOptions,
} from './options';
import { ideTargetOf, readState, findServicePort } from './phases';
import { WorkspaceCache } from './watch/WorkspaceCache';
import { WorkspaceWatch } from './watch/WorkspaceWatch';
import {
  Cluster,
  deleteWorkspace,
  findWorkspace,
  giveUpStart,
  stopWorkspace,
} from './workspaceObjects';

/**
 * Runs workspaces in a cluster as DevWorkspaces of the DevWorkspace Operator. The cluster is the
 * source of truth: others can start and stop workspaces there too, which is reported by
 * {@link onExternalChange}.
 */
export class KubernetesRuntime implements WorkspaceRuntime {
  readonly kind = 'kubernetes';
  readonly #cluster: Cluster;
  readonly #watch: WorkspaceWatch;
  readonly #changes: ExternalChangeReporter;

  constructor(options: KubernetesRuntimeOptions) {
    const api = new ClusterApi(options);
    const cache = new WorkspaceCache();
    this.#cluster = { api, cache, options };
    this.#watch = new WorkspaceWatch({
      api,
      cache,
      labelSelector: managedSelector(options.instance),
      logger: options.logger,
      backoffMaxMs: options.limits.watchBackoffMaxMs,
    });
    this.#changes = new ExternalChangeReporter({
      cache,
      editor: options.editor,
    });
  }

  /** Starts watching the cluster. */
  prepare(): void {
    this.#watch.start();
  }

  /** Returns the configured editor, which is `missing`, with the cause, while the cluster cannot be used. */
  editor(): EditorAvailability {
    const fault = this.#watch.fault();
    return {
      state: fault ? 'missing' : 'ready',
      editor: fault ? null : this.#cluster.options.editor,
      progress: null,
      message: fault?.message ?? null,
    };
  }

  isolation(): WorkspaceIsolation {
    return {
      kind: 'pods',
      network: 'own',
      limits: { memoryMebibytes: null, processes: null, openFiles: null },
      gaps: this.#cluster.options.reachableFrom
        ? []
        : [
            'Other pods of the cluster can reach the workspace, unless a network policy blocks them.',
          ],
    };
  }

  unsupported(devfile: Devfile): string[] {
    return describeUnsupported(devfile);
  }

  async checkPlace(place: {
    namespace: string;
    name?: string;
    owner: string;
  }): Promise<void> {
    const { namespace, name, owner } = place;
    const found = await this.#cluster.api.getNamespace(namespace);
    if (!found) {
      return;
    }
    checkNamespace(found, {
      name: namespace,
      owner,
      instance: this.#cluster.options.instance,
    });
    if (name && (await this.#cluster.api.getWorkspace({ namespace, name }))) {
      throw new ConflictError(
        `A workspace named '${name}' already exists in namespace '${namespace}'`,
      );
    }
  }

  async start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace> {
    checkWorkspaceId(spec.id);
    this.#watch.start();
    return this.#changes.during(spec.id, async () => {
      try {
        const start = new KubernetesStart(this.#cluster, spec, reporter);
        const state = await start.run(signal);
        if (!state.mainUrl) {
          reporter.warn('The workspace has no address for its IDE');
        }
        this.#changes.know(spec.id, state);
        const { editor } = this.#cluster.options;
        return { target: ideTargetOf(state), editor };
      } catch (error) {
        if (!signal.aborted) {
          await giveUpStart(this.#cluster, spec);
        }
        this.#changes.know(spec.id);
        throw error;
      }
    });
  }

  async stop(id: string, signal?: AbortSignal): Promise<void> {
    checkWorkspaceId(id);
    await this.#changes.during(id, async () => {
      for (const workspace of await findWorkspace(this.#cluster, id)) {
        await stopWorkspace(this.#cluster, workspace, signal);
      }
      this.#changes.know(id);
    });
  }

  async delete(id: string): Promise<void> {
    checkWorkspaceId(id);
    await this.#changes.during(id, async () => {
      const found = await findWorkspace(this.#cluster, id);
      this.#changes.leave(id);
      for (const workspace of found) {
        await deleteWorkspace(this.#cluster, workspace);
      }
    });
  }

  async list(): Promise<ObservedWorkspace[]> {
    await this.#watch.list();
    const { cache, options } = this.#cluster;
    return cache.all().map(workspace => {
      const id = workspaceIdOf(workspace);
      const state = readState(workspace);
      this.#changes.know(id, state);
      return {
        id,
        running: state.status === 'Running',
        target: ideTargetOf(state),
        editor: options.editor,
        status: state.status,
        failure: state.failure,
      };
    });
  }

  async port(id: string, targetPort: number): Promise<PortTarget | null> {
    const [workspace] = this.#cluster.cache.withId(id);
    return workspace && readState(workspace).status === 'Running'
      ? findServicePort(workspace, targetPort)
      : null;
  }

  onExternalChange(
    listener: (change: ExternalWorkspaceChange) => void,
  ): () => void {
    return this.#changes.onExternalChange(listener);
  }

  /** Disconnects from the cluster. Workspaces keep running. */
  async shutdown(): Promise<void> {
    this.#changes.stop();
    await this.#watch.stop();
  }
}

/** Creates the Kubernetes runtime from `ideLauncher.kubernetes` of the root configuration. */
export function createKubernetesRuntime(options: {
  config: Config;
  logger: LoggerService;
}): KubernetesRuntime {
  const { config, logger } = options;
  return new KubernetesRuntime(
    readKubernetesRuntimeOptions(config, { logger }),
  );
}
