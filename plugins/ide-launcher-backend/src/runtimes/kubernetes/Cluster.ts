import { ClusterApi } from './api/ClusterApi';
import { KubernetesRuntimeOptions } from './KubernetesRuntimeOptions';
import { WorkspaceCache } from './watch/WorkspaceCache';

/** A cluster as the runtime works with it. */
export interface Cluster {
  api: ClusterApi;
  /** What was last heard of its workspaces. */
  cache: WorkspaceCache;
  options: KubernetesRuntimeOptions;
}
