import type { V1Namespace } from '@kubernetes/client-node';
import {
  ClusterRequests,
  type ObjectKey,
  orUndefined,
  type Resource,
  UnknownTypeError,
} from '@slipway/cluster-client';
import {
  ClusterEvent,
  DEVWORKSPACE_API,
  DevWorkspace,
  DevWorkspaceTemplate,
  Namespace,
  NetworkPolicy,
} from '../objects/types';
import { KubernetesRuntimeOptions } from '../options';
import { watchResource, type WatchEvent } from './watchResource';

const { group, version } = DEVWORKSPACE_API;

const WORKSPACES: Resource = {
  group,
  version,
  plural: DEVWORKSPACE_API.workspaces,
};
const TEMPLATES: Resource = {
  group,
  version,
  plural: DEVWORKSPACE_API.templates,
};
/** Network policies. Not read with the client's own model, which renames the cluster's field `from`. */
const NETWORK_POLICIES: Resource = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
};

/** Page size of lists; enough for all workspaces of a large installation. */
const PAGE_SIZE = 500;

/** The maximum number of events read per namespace. */
const MAX_EVENTS = 500;

/** Thrown if the cluster does not support DevWorkspaces. */
export class OperatorMissingError extends UnknownTypeError {
  constructor() {
    super(
      'The cluster knows no DevWorkspaces: an admin must install the DevWorkspace Operator',
    );
  }
}

/** A list, and the position from which a watch continues. */
interface WorkspaceSnapshot {
  items: DevWorkspace[];
  resourceVersion: string;
}

interface WorkspacePage {
  items: DevWorkspace[];
  metadata: { resourceVersion?: string; continue?: string };
}

/**
 * Calls the API server of a cluster. Every call has a timeout, a limited number of retries if
 * the cluster is unreachable, and fails with an error of the cluster client. Reading a missing object
 * returns undefined; replacing an object that has changed since its `metadata.resourceVersion`
 * fails with a ClusterRefusedError (409). The client is loaded on the first call.
 */
export class ClusterApi {
  readonly #requests: ClusterRequests;

  constructor(
    options: Pick<KubernetesRuntimeOptions, 'connection' | 'limits'>,
  ) {
    this.#requests = new ClusterRequests({
      ...options,
      account: 'the portal',
      explain: error =>
        error instanceof UnknownTypeError ? new OperatorMissingError() : error,
    });
  }

  getNamespace(name: string): Promise<Namespace | undefined> {
    return orUndefined(
      this.#requests.call(`read the namespace ${name}`, ({ core }) =>
        core.readNamespace({ name }),
      ) as Promise<Namespace>,
    );
  }

  createNamespace(namespace: Namespace): Promise<Namespace> {
    return this.#requests.call(
      `create the namespace ${namespace.metadata.name}`,
      ({ core }) => core.createNamespace({ body: namespace as V1Namespace }),
    ) as Promise<Namespace>;
  }

  /** Lists all workspaces that match the selector, in all namespaces. */
  async listWorkspaces(labelSelector: string): Promise<WorkspaceSnapshot> {
    const items: DevWorkspace[] = [];
    let position: string | undefined;
    for (;;) {
      const page = await this.#listPage(labelSelector, position);
      items.push(...page.items);
      position = page.metadata.continue;
      if (!position) {
        return {
          items,
          resourceVersion: page.metadata.resourceVersion ?? '',
        };
      }
    }
  }

  getWorkspace(key: ObjectKey): Promise<DevWorkspace | undefined> {
    return this.#requests.get(WORKSPACES, key);
  }

  createWorkspace(workspace: DevWorkspace): Promise<DevWorkspace> {
    return this.#requests.create(WORKSPACES, workspace);
  }

  replaceWorkspace(workspace: DevWorkspace): Promise<DevWorkspace> {
    return this.#requests.replace(WORKSPACES, workspace);
  }

  /** Sets only `spec.started`. */
  setStarted(key: ObjectKey, started: boolean): Promise<DevWorkspace> {
    return this.#requests.call(
      `${started ? 'start' : 'stop'} the devworkspace ${key.name} in ${
        key.namespace
      }`,
      ({ client, custom }) =>
        custom.patchNamespacedCustomObject(
          {
            ...WORKSPACES,
            ...key,
            body: { spec: { started } },
          },
          client.setHeaderOptions(
            'Content-Type',
            client.PatchStrategy.MergePatch,
          ),
        ),
    );
  }

  /**
   * Requests the deletion of the object with exactly this uid, which may take a while. Does
   * nothing if it is already gone.
   */
  async deleteWorkspace(key: ObjectKey & { uid: string }): Promise<void> {
    const { uid, ...object } = key;
    await orUndefined(
      this.#requests.call(
        `delete the devworkspace ${key.name} in ${key.namespace}`,
        ({ custom }) =>
          custom.deleteNamespacedCustomObject({
            ...WORKSPACES,
            ...object,
            body: {
              preconditions: { uid },
              propagationPolicy: 'Background',
            },
          }),
      ),
    );
  }

  getTemplate(key: ObjectKey): Promise<DevWorkspaceTemplate | undefined> {
    return this.#requests.get(TEMPLATES, key);
  }

  createTemplate(
    template: DevWorkspaceTemplate,
  ): Promise<DevWorkspaceTemplate> {
    return this.#requests.create(TEMPLATES, template);
  }

  replaceTemplate(
    template: DevWorkspaceTemplate,
  ): Promise<DevWorkspaceTemplate> {
    return this.#requests.replace(TEMPLATES, template);
  }

  getNetworkPolicy(key: ObjectKey): Promise<NetworkPolicy | undefined> {
    return this.#requests.get(NETWORK_POLICIES, key);
  }

  createNetworkPolicy(policy: NetworkPolicy): Promise<NetworkPolicy> {
    return this.#requests.create(NETWORK_POLICIES, policy);
  }

  replaceNetworkPolicy(policy: NetworkPolicy): Promise<NetworkPolicy> {
    return this.#requests.replace(NETWORK_POLICIES, policy);
  }

  /** Lists the latest events of a namespace. */
  async listEvents(namespace: string): Promise<ClusterEvent[]> {
    const { items } = await this.#requests.call(
      `list events in ${namespace}`,
      ({ core }) => core.listNamespacedEvent({ namespace, limit: MAX_EVENTS }),
    );
    return items as ClusterEvent[];
  }

  /**
   * Reports changes since `resourceVersion`. Resolves when the server ends the watch or `signal`
   * aborts; rejects if the watch could not be opened or broke.
   */
  async watchWorkspaces(options: {
    labelSelector: string;
    resourceVersion: string;
    signal: AbortSignal;
    /** Called when the server has accepted the watch. */
    onOpen(): void;
    onEvent(event: WatchEvent): void;
  }): Promise<void> {
    const connected = await this.#requests.connect();
    try {
      await watchResource(connected, {
        ...options,
        path: `/apis/${group}/${version}/${WORKSPACES.plural}`,
      });
    } catch (error) {
      throw this.#requests.explain(error, 'watch devworkspaces');
    }
  }

  #listPage(labelSelector: string, position?: string): Promise<WorkspacePage> {
    return this.#requests.call('list devworkspaces', ({ custom }) =>
      custom.listCustomObjectForAllNamespaces({
        group,
        version,
        resourcePlural: WORKSPACES.plural,
        labelSelector,
        limit: PAGE_SIZE,
        _continue: position,
      }),
    );
  }
}
