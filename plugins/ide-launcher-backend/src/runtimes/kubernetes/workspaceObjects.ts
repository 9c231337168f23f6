import { WorkspaceSpec } from '../WorkspaceRuntime';
import { ClusterApi } from './api/ClusterApi';
import { isConflict, isMissing } from './api/errors';
import {
  managedSelector,
  WORKSPACE_ID_LABEL,
  DevWorkspace,
} from './objects/types';
import { KubernetesRuntimeOptions } from './options';
import { readState } from './phases';
import { WorkspaceCache, waitForWorkspace } from './watch/WorkspaceCache';

/** A cluster as the runtime works with it. */
export interface Cluster {
  api: ClusterApi;
  /** What was last heard of its workspaces. */
  cache: WorkspaceCache;
  options: KubernetesRuntimeOptions;
}

/** The objects of a workspace: one, or none. The cluster is asked for what was not heard of. */
export async function findWorkspace(
  { api, cache, options }: Cluster,
  id: string,
): Promise<DevWorkspace[]> {
  const known = cache.withId(id);
  if (known.length > 0) {
    return known;
  }
  const { items } = await api.listWorkspaces(
    `${managedSelector(options.instance)},${WORKSPACE_ID_LABEL}=${id}`,
  );
  items.forEach(workspace => cache.set(workspace));
  return items;
}

/**
 * Stops a workspace, and waits until the operator has. One that is gone has stopped.
 *
 * @throws ServiceUnavailableError when it takes longer than the limit; errors of the API; the signal's reason.
 */
export async function stopWorkspace(
  { api, cache, options }: Cluster,
  workspace: DevWorkspace,
  signal?: AbortSignal,
): Promise<void> {
  const { name, namespace = '' } = workspace.metadata;
  const { eventIntervalMs, stopTimeoutMs } = options.limits;
  try {
    const told = await api.setStarted({ name, namespace }, false);
    cache.set(told);
    await waitForWorkspace({
      api,
      cache,
      workspace: told,
      signal,
      timeoutMs: stopTimeoutMs,
      intervalMs: eventIntervalMs,
      decide: now =>
        !now || readState(now).status === 'Stopped' ? true : undefined,
      late: () =>
        `The cluster did not stop the workspace within ${Math.round(
          stopTimeoutMs / 1000,
        )} seconds`,
    });
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
  }
}

/** Keeps a start that has failed from coming up after all, as far as the cluster can be asked. */
export async function giveUpStart(
  { api, cache, options }: Cluster,
  { name, namespace, id }: WorkspaceSpec,
): Promise<void> {
  const [known] = cache.withId(id);
  if (known?.spec.started) {
    await api
      .setStarted({ name, namespace }, false)
      .then(workspace => cache.set(workspace))
      .catch(error => options.logger.warn(`${id} could not be stopped`, error));
  }
}

/** Asks for the removal of a workspace, which may go on for a while. */
export async function deleteWorkspace(
  { api }: Pick<Cluster, 'api'>,
  { metadata }: DevWorkspace,
): Promise<void> {
  const { name, namespace = '', uid = '' } = metadata;
  try {
    await api.deleteWorkspace({ name, namespace, uid });
  } catch (error) {
    // Another object took its name: ours is gone.
    if (!isConflict(error)) {
      throw error;
    }
  }
}
