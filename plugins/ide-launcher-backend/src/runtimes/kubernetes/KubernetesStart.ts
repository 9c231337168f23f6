import { ConflictError } from '@backstage/errors';
import {
  StartFailedError,
  StartReporter,
  WorkspaceSpec,
} from '../WorkspaceRuntime';
import { Cluster } from './workspaceObjects';
import { ClusterEvents, ConditionReporter } from './startProgress';
import {
  ensureNamespace,
  ensureNetworkPolicy,
  ensureTemplate,
  ensureWorkspace,
} from './ensureObjects';
import {
  renderDevWorkspace,
  renderNetworkPolicy,
} from './objects/devWorkspace';
import { renderEditorTemplate } from './objects/editorTemplate';
import { DevWorkspace } from './objects/types';
import { readState, WorkspaceState } from './phases';
import { waitForWorkspace } from './watch/WorkspaceCache';

/** One start of one workspace, from creating its namespace to an IDE that responds. */
export class KubernetesStart {
  readonly #cluster: Cluster;
  readonly #spec: WorkspaceSpec;
  readonly #reporter: StartReporter;
  readonly #conditions: ConditionReporter;
  readonly #events: ClusterEvents;

  constructor(cluster: Cluster, spec: WorkspaceSpec, reporter: StartReporter) {
    this.#cluster = cluster;
    this.#spec = spec;
    this.#reporter = reporter;
    this.#conditions = new ConditionReporter(reporter);
    this.#events = new ClusterEvents({ api: cluster.api, reporter });
  }

  /**
   * Returns the state of the workspace once it runs.
   *
   * @throws StartFailedError with the cluster's cause; errors of the API; the signal's reason.
   */
  async run(signal: AbortSignal): Promise<WorkspaceState> {
    const { api, options } = this.#cluster;
    const { name, namespace } = this.#spec;
    await this.#step(signal, 'namespace', `Prepare ${namespace}`, () =>
      this.#prepareNamespace(),
    );
    const created = await this.#step(
      signal,
      'workspace',
      `Create ${name} in the cluster`,
      () => this.#create(signal),
    );
    await this.#step(signal, 'editor', `Add ${options.editor.title}`, () =>
      ensureTemplate(
        api,
        renderEditorTemplate(created, {
          editor: options.editorTemplate,
          instance: options.instance,
        }),
      ),
    );
    await this.#events.skip(created);
    signal.throwIfAborted();
    const started = await api.setStarted({ namespace, name }, true);
    this.#cluster.cache.set(started);
    return this.#follow(started, signal);
  }

  async #prepareNamespace(): Promise<void> {
    const { api, options } = this.#cluster;
    const { instance, podSecurity, reachableFrom } = options;
    const { namespace, owner } = this.#spec;
    await ensureNamespace(api, {
      ...{ name: namespace, owner, instance },
      podSecurity,
    });
    if (reachableFrom) {
      await ensureNetworkPolicy(
        api,
        renderNetworkPolicy({ namespace, instance, reachableFrom }),
      );
    }
  }

  async #create(signal: AbortSignal): Promise<DevWorkspace> {
    const { api, cache, options } = this.#cluster;
    const { devfile } = this.#spec;
    if (!devfile.flat) {
      throw new ConflictError(
        'The workspace was created for another runtime; delete it and create it again',
      );
    }
    const wanted = renderDevWorkspace(this.#spec, devfile.flat, options);
    const workspace = await ensureWorkspace(api, wanted, async leaving => {
      await waitForWorkspace({
        api,
        cache,
        workspace: leaving,
        signal,
        timeoutMs: options.limits.stopTimeoutMs,
        intervalMs: options.limits.eventIntervalMs,
        decide: now => (now ? undefined : true),
        late: () =>
          `An earlier workspace named '${leaving.metadata.name}' is still being removed from the cluster`,
      });
    });
    cache.set(workspace);
    return workspace;
  }

  async #follow(
    started: DevWorkspace,
    signal: AbortSignal,
  ): Promise<WorkspaceState> {
    const { api, cache, options } = this.#cluster;
    const { limits } = options;
    const before = JSON.stringify(started.status);
    let latest = started;
    try {
      return await waitForWorkspace({
        api,
        cache,
        workspace: started,
        signal,
        timeoutMs: limits.startTimeoutMs,
        intervalMs: limits.eventIntervalMs,
        decide: now => {
          latest = now ?? latest;
          // Until the operator has reconciled it, the status is that of the previous run.
          const hasChanged = JSON.stringify(now?.status) !== before;
          if (now && hasChanged) {
            this.#conditions.report(now);
          }
          return decideOutcome(now, hasChanged);
        },
        late: () =>
          `The workspace did not start within ${Math.round(
            limits.startTimeoutMs / 1000,
          )} seconds${
            latest.status?.message ? `: ${latest.status.message}` : ''
          }`,
        onTick: workspace => this.#events.report(workspace),
      });
    } catch (error) {
      if (!signal.aborted) {
        await this.#events.report(latest);
      }
      throw error;
    }
  }

  async #step<T>(
    signal: AbortSignal,
    id: string,
    title: string,
    action: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    this.#reporter.step({ id, title, state: 'running' });
    const done = await action();
    this.#reporter.step({ id, title, state: 'done' });
    return done;
  }
}

/** Returns the final state, or undefined while the start is in progress. */
function decideOutcome(
  workspace: DevWorkspace | undefined,
  hasChanged: boolean,
): WorkspaceState | undefined {
  if (!workspace || workspace.metadata.deletionTimestamp) {
    throw new StartFailedError('The workspace was deleted in the cluster');
  }
  const state = readState(workspace);
  if (state.status === 'Running') {
    return state;
  }
  if (hasChanged && state.failure !== null) {
    throw new StartFailedError(state.failure, {
      stillStopping: state.status === 'Stopping',
    });
  }
  if (!workspace.spec.started) {
    throw new StartFailedError(
      'The workspace was stopped in the cluster while it started',
      { stillStopping: state.status === 'Stopping' },
    );
  }
  return undefined;
}
