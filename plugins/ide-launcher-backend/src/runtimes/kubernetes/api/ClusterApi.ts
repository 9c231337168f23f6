import {
  ClusterEvent,
  DevWorkspace,
  DevWorkspaceTemplate,
  Namespace,
  NetworkPolicy,
} from '../objects/types';

/** One line of a watch. `ERROR` carries a status instead of an object. */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: DevWorkspace;
}

/** A list and the point in time from which a watch goes on. */
export interface WorkspaceSnapshot {
  items: DevWorkspace[];
  resourceVersion: string;
}

/** The namespace and name of an object. */
export interface ObjectKey {
  namespace: string;
  name: string;
}

/**
 * What the runtime asks of a cluster. Every call has a time limit, is tried
 * again a bounded number of times where the cluster could not be asked, and
 * fails with an error of `errors.ts`.
 */
export interface ClusterApi {
  /** @returns undefined when there is none. */
  getNamespace(name: string): Promise<Namespace | undefined>;
  createNamespace(namespace: Namespace): Promise<Namespace>;

  /** Every workspace that the selector finds, in all namespaces. */
  listWorkspaces(labelSelector: string): Promise<WorkspaceSnapshot>;
  /** @returns undefined when there is none. */
  getWorkspace(key: ObjectKey): Promise<DevWorkspace | undefined>;
  createWorkspace(workspace: DevWorkspace): Promise<DevWorkspace>;
  /** @throws ClusterRefusedError (409) when it has changed since `metadata.resourceVersion`. */
  replaceWorkspace(workspace: DevWorkspace): Promise<DevWorkspace>;
  /** Sets `spec.started`, and nothing else. */
  setStarted(key: ObjectKey, started: boolean): Promise<DevWorkspace>;
  /** Asks for the removal of exactly the object with this uid; it may go on for a while. Nothing happens when it is gone. */
  deleteWorkspace(key: ObjectKey & { uid: string }): Promise<void>;

  /** @returns undefined when there is none. */
  getTemplate(key: ObjectKey): Promise<DevWorkspaceTemplate | undefined>;
  createTemplate(template: DevWorkspaceTemplate): Promise<DevWorkspaceTemplate>;
  /** @throws ClusterRefusedError (409) when it has changed since `metadata.resourceVersion`. */
  replaceTemplate(
    template: DevWorkspaceTemplate,
  ): Promise<DevWorkspaceTemplate>;

  /** @returns undefined when there is none. */
  getNetworkPolicy(key: ObjectKey): Promise<NetworkPolicy | undefined>;
  createNetworkPolicy(policy: NetworkPolicy): Promise<NetworkPolicy>;
  /** @throws ClusterRefusedError (409) when it has changed since `metadata.resourceVersion`. */
  replaceNetworkPolicy(policy: NetworkPolicy): Promise<NetworkPolicy>;

  /** The latest events of a namespace. */
  listEvents(namespace: string): Promise<ClusterEvent[]>;

  /**
   * Reports what changes from `resourceVersion` on. Resolves when the server
   * ends the watch or `signal` aborts, rejects when it could not be opened or broke.
   */
  watchWorkspaces(options: {
    labelSelector: string;
    resourceVersion: string;
    signal: AbortSignal;
    /** The server has accepted the watch. */
    onOpen(): void;
    onEvent(event: WatchEvent): void;
  }): Promise<void>;
}
