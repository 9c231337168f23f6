import { LoggerService } from '@backstage/backend-plugin-api';
import { WorkspaceEditor } from '@slipway/plugin-ide-launcher-common';
import { TemplateSpec } from './objects/types';

/** How the portal reaches the cluster. */
export type ClusterConnection =
  /** With the service account of the portal's own pod. */
  | {
      kind: 'in-cluster';
      /** Folder under which the pod's `/var/run/secrets` is; undefined: the root. */
      root?: string;
    }
  | {
      kind: 'kubeconfig';
      /** Path; undefined: KUBECONFIG or `~/.kube/config`. */
      file?: string;
      /** Undefined: the file's current context. */
      context?: string;
    };

/** Everything that the Kubernetes runtime can be told. Times are in milliseconds. */
export interface KubernetesRuntimeOptions {
  logger: LoggerService;
  connection: ClusterConnection;
  /** Tells the objects of this portal from those of another one in the same cluster. */
  instance: string;
  routingClass: string;
  /** Namespaces whose pods may reach workspaces; null: no policy is made, and all may. */
  reachableFrom: string[] | null;
  storageType: string;
  /** Runs the editor where the devfile has no container. */
  defaultImage: string;
  editor: WorkspaceEditor;
  /** What the workspace's editor template holds. */
  editorTemplate: TemplateSpec;
  limits: {
    /** One request to the API server. */
    requestTimeoutMs: number;
    /** Attempts at one request, the first included. */
    requestAttempts: number;
    /** From the first request of a start until the IDE answers. */
    startTimeoutMs: number;
    /** Until a workspace that was told to stop has stopped. */
    stopTimeoutMs: number;
    /** Longest pause between two attempts to watch. */
    watchBackoffMaxMs: number;
    /** Between two looks at the cluster's events while a workspace starts. */
    eventIntervalMs: number;
  };
}
