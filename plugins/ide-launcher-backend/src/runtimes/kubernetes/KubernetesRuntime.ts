import { ConflictError, InputError } from '@backstage/errors';
import {
  EditorAvailability,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import { Devfile } from '../../devfile/types';
import {
  IdeTarget,
  ObservedWorkspace,
  PortTarget,
  StartedWorkspace,
  StartReporter,
  WorkspaceExit,
  WorkspaceMove,
  WorkspaceRuntime,
  WorkspaceSpec,
} from '../WorkspaceRuntime';
import { ClusterApi } from './api/ClusterApi';
import { HttpClusterApi } from './api/HttpClusterApi';
import { isConflict, isMissing } from './api/errors';
import { checkNamespace } from './ensureNamespace';
import { KubernetesRuntimeOptions } from './KubernetesRuntimeOptions';
import { KubernetesStart } from './KubernetesStart';
import { managedSelector, WORKSPACE_ID_LABEL } from './objects/labels';
import { DevWorkspace } from './objects/types';
import { readState, WorkspaceState } from './phases';
import { findServicePort } from './servicePort';
import { describeUnsupported } from './unsupported';
import { waitForWorkspace } from './watch/waitForWorkspace';
import { WorkspaceCache } from './watch/WorkspaceCache';
import { WorkspaceWatch } from './watch/WorkspaceWatch';

const WORKSPACE_ID = /^workspace-[a-z0-9-]{1,53}$/;

const DELETED = 'The workspace was deleted in the cluster';

/**
 * Runs workspaces in a cluster, as DevWorkspaces that the DevWorkspace Operator
 * brings up. The cluster is the truth: others start and stop workspaces there
 * too, and what they do is told by {@link onMove}.
 */
export class KubernetesRuntime implements WorkspaceRuntime {
  readonly kind = 'kubernetes';
  readonly #options: KubernetesRuntimeOptions;
  readonly #api: ClusterApi;
  readonly #cache = new WorkspaceCache();
  readonly #watch: WorkspaceWatch;
  readonly #selector: string;
  /** Workspaces that this runtime starts, stops or deletes now: their moves are no news. */
  readonly #busy = new Map<string, number>();
  /** The last state of each workspace that the portal knows. */
  readonly #told = new Map<string, string>();
  /** Workspaces that the portal has deleted and the cluster still removes. */
  readonly #leaving = new Set<string>();
  readonly #listeners = new Set<(move: WorkspaceMove) => void>();

  constructor(
    options: KubernetesRuntimeOptions,
    api: ClusterApi = new HttpClusterApi(options),
  ) {
    this.#options = options;
    this.#api = api;
    this.#selector = managedSelector(options.instance);
    this.#watch = new WorkspaceWatch({
      api,
      cache: this.#cache,
      labelSelector: this.#selector,
      logger: options.logger,
      backoffMaxMs: options.limits.watchBackoffMaxMs,
    });
    this.#cache.onChange((now, before) => {
      const workspace = now ?? before;
      if (workspace) {
        this.#tell(idOf(workspace));
      }
    });
  }

  /** Begins to watch the cluster. */
  prepare(): void {
    this.#watch.start();
  }

  /** The cluster brings the editor itself; missing is what keeps the cluster from being used. */
  editor(): EditorAvailability {
    const fault = this.#watch.fault();
    return {
      state: fault ? 'missing' : 'ready',
      editor: fault ? null : this.#options.editor,
      progress: null,
      message: fault?.message ?? null,
    };
  }

  isolation(): WorkspaceIsolation {
    return {
      kind: 'pods',
      network: 'own',
      limits: { memoryMebibytes: null, processes: null, openFiles: null },
      gaps: this.#options.reachableFrom
        ? []
        : [
            'Other pods of the cluster reach the workspace, unless a network policy keeps them away.',
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
    const found = await this.#api.getNamespace(namespace);
    if (!found) {
      return;
    }
    checkNamespace(found, {
      name: namespace,
      owner,
      instance: this.#options.instance,
    });
    if (name && (await this.#api.getWorkspace({ namespace, name }))) {
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
    checkId(spec.id);
    this.#watch.start();
    return this.#while(spec.id, async () => {
      const start = new KubernetesStart(
        { api: this.#api, cache: this.#cache, options: this.#options },
        spec,
        reporter,
      );
      try {
        const state = await start.run(signal);
        if (!state.mainUrl) {
          reporter.warn('The workspace names no address of its IDE');
        }
        this.#told.set(spec.id, fingerprint(state));
        return { target: targetOf(state), editor: this.#options.editor };
      } catch (error) {
        if (!signal.aborted) {
          await this.#giveUp(spec);
        }
        this.#told.set(spec.id, fingerprint(this.#stateOf(spec.id)));
        throw error;
      }
    });
  }

  async stop(id: string): Promise<void> {
    checkId(id);
    await this.#while(id, async () => {
      for (const workspace of await this.#find(id)) {
        await this.#stopOne(workspace);
      }
      this.#told.set(id, fingerprint(this.#stateOf(id)));
    });
  }

  async delete(id: string): Promise<void> {
    checkId(id);
    await this.#while(id, async () => {
      const found = await this.#find(id);
      if (found.length > 0) {
        this.#leaving.add(id);
      }
      for (const { metadata } of found) {
        const { name, namespace = '', uid = '' } = metadata;
        try {
          await this.#api.deleteWorkspace({ name, namespace, uid });
        } catch (error) {
          // Another object took its name: ours is gone.
          if (!isConflict(error)) {
            throw error;
          }
        }
      }
    });
  }

  async list(): Promise<ObservedWorkspace[]> {
    await this.#watch.list();
    return this.#cache.all().map(workspace => {
      const id = idOf(workspace);
      const state = readState(workspace);
      this.#told.set(id, fingerprint(state));
      return {
        id,
        running: state.status === 'Running',
        target: targetOf(state),
        editor: this.#options.editor,
        status: state.status,
        failure: state.failure,
      };
    });
  }

  async port(id: string, targetPort: number): Promise<PortTarget | null> {
    const workspace = this.#cache.all().find(found => idOf(found) === id);
    return workspace && readState(workspace).status === 'Running'
      ? findServicePort(workspace, targetPort)
      : null;
  }

  /** Nothing ends unseen here: {@link onMove} tells of everything. */
  onExit(_listener: (exit: WorkspaceExit) => void): () => void {
    return () => {};
  }

  onMove(listener: (move: WorkspaceMove) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets go of the cluster. Workspaces run on there, whoever asks. */
  async shutdown(): Promise<void> {
    this.#listeners.clear();
    await this.#watch.stop();
  }

  async #stopOne(workspace: DevWorkspace): Promise<void> {
    const { name, namespace = '' } = workspace.metadata;
    const { limits } = this.#options;
    try {
      const told = await this.#api.setStarted({ name, namespace }, false);
      this.#cache.set(told);
      await waitForWorkspace({
        api: this.#api,
        cache: this.#cache,
        workspace: told,
        timeoutMs: limits.stopTimeoutMs,
        intervalMs: limits.eventIntervalMs,
        decide: now =>
          !now || readState(now).status === 'Stopped' ? true : undefined,
        late: () =>
          `The cluster did not stop the workspace within ${Math.round(
            limits.stopTimeoutMs / 1000,
          )} seconds`,
      });
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
    }
  }

  /** Keeps a start that has failed from coming up after all, as far as the cluster can be asked. */
  async #giveUp({ name, namespace, id }: WorkspaceSpec): Promise<void> {
    const known = this.#cache.all().find(found => idOf(found) === id);
    if (known?.spec.started) {
      await this.#api
        .setStarted({ name, namespace }, false)
        .then(workspace => this.#cache.set(workspace))
        .catch(error =>
          this.#options.logger.warn(`${id} could not be stopped`, error),
        );
    }
  }

  /** The objects of a workspace: one, or none. */
  async #find(id: string): Promise<DevWorkspace[]> {
    const known = this.#cache.all().filter(found => idOf(found) === id);
    if (known.length > 0) {
      return known;
    }
    const { items } = await this.#api.listWorkspaces(
      `${this.#selector},${WORKSPACE_ID_LABEL}=${id}`,
    );
    items.forEach(workspace => this.#cache.set(workspace));
    return items;
  }

  /** Does something to a workspace. What is new afterwards, and not the outcome, is told. */
  async #while<T>(id: string, action: () => Promise<T>): Promise<T> {
    this.#busy.set(id, (this.#busy.get(id) ?? 0) + 1);
    try {
      return await action();
    } finally {
      const left = (this.#busy.get(id) ?? 1) - 1;
      if (left > 0) {
        this.#busy.set(id, left);
      } else {
        this.#busy.delete(id);
        this.#tell(id);
      }
    }
  }

  #stateOf(id: string): WorkspaceState | undefined {
    const workspace = this.#cache.all().find(found => idOf(found) === id);
    return workspace && readState(workspace);
  }

  #tell(id: string): void {
    if (this.#busy.has(id)) {
      return;
    }
    const workspace = this.#cache.all().find(found => idOf(found) === id);
    if (this.#leaving.has(id)) {
      if (!workspace) {
        this.#leaving.delete(id);
        this.#told.delete(id);
      }
      return;
    }
    const state = workspace && readState(workspace);
    if (workspace && !workspace.spec.started && isUp(state)) {
      // The operator has yet to see that it was told to stop.
      return;
    }
    const seen = fingerprint(state);
    if (this.#told.get(id) === seen) {
      return;
    }
    this.#told.set(id, seen);
    const move: WorkspaceMove = state
      ? {
          id,
          status: state.status,
          failure: state.failure,
          message: null,
          target: targetOf(state),
          editor: this.#options.editor,
        }
      : {
          id,
          status: 'Stopped',
          failure: null,
          message: DELETED,
          target: null,
          editor: null,
        };
    this.#listeners.forEach(listener => listener(move));
  }
}

function checkId(id: string): void {
  if (!WORKSPACE_ID.test(id)) {
    throw new InputError(`Not a workspace id: ${id}`);
  }
}

function idOf({ metadata }: DevWorkspace): string {
  return metadata.labels?.[WORKSPACE_ID_LABEL] ?? '';
}

function targetOf({ mainUrl }: WorkspaceState): IdeTarget {
  return mainUrl ? { kind: 'origin', url: mainUrl } : { kind: 'none' };
}

function isUp(state: WorkspaceState | undefined): boolean {
  return state?.status === 'Starting' || state?.status === 'Running';
}

function fingerprint(state: WorkspaceState | undefined): string {
  return state ? JSON.stringify(state) : 'gone';
}
