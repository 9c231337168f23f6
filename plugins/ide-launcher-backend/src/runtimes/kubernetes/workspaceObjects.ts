import { WorkspaceSpec } from '../WorkspaceRuntime';
import { ClusterApi } from './api/ClusterApi';
import { isConflict, isMissing } from '@slipway/cluster-client';
import {
  managedSelector,
  WORKSPACE_ID_LABEL,
  DevWorkspace,
} from './objects/types';
import { KubernetesRuntimeOptions } from './options';
import { readState } from './phases';
import { WorkspaceCache, waitForWorkspace } from './watch/WorkspaceCache';

/** A cluster with its API, cache and options. */
export interface Cluster {
  api: ClusterApi;
  /** The latest known state of its workspaces. */
  cache: WorkspaceCache;
  options: KubernetesRuntimeOptions;
}

/** Returns a workspace's object from the cache, or else from the cluster: a list of one or none. */
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
 * Stops a workspace, and waits until the operator has stopped it. A missing workspace counts as
 * stopped.
 *
 * @throws ServiceUnavailableError if it takes longer than the limit; errors of the API; the
 * signal's reason.
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

/** Stops a workspace whose start failed, so that it does not succeed later. Only logs errors. */
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

/** Requests the deletion of a workspace, which may take a while. */
export async function deleteWorkspace(
  { api }: Pick<Cluster, 'api'>,
  { metadata }: DevWorkspace,
): Promise<void> {
  const { name, namespace = '', uid = '' } = metadata;
  try {
    await api.deleteWorkspace({ name, namespace, uid });
  } catch (error) {
    // The name belongs to another object, so ours has already been deleted.
    if (!isConflict(error)) {
      throw error;
    }
  }
}
