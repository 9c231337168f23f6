import type {
  CoreV1Api,
  CustomObjectsApi,
  V1Namespace,
} from '@kubernetes/client-node';
import { KubernetesRuntimeOptions } from '../KubernetesRuntimeOptions';
import {
  ClusterEvent,
  DEVWORKSPACE_API,
  DevWorkspace,
  DevWorkspaceTemplate,
  Namespace,
} from '../objects/types';
import {
  ClusterApi,
  ObjectKey,
  WatchEvent,
  WorkspaceSnapshot,
} from './ClusterApi';
import { ConnectedClient, connectCluster } from './connectCluster';
import { isMissing } from './errors';
import { explainFailure } from './explainFailure';
import { retryUnreachable } from './retry';
import { watchResource } from './watchResource';

const { group, version, workspaces, templates } = DEVWORKSPACE_API;

/** Enough for every workspace of a large installation; the list is read in pages of this size. */
const PAGE_SIZE = 500;

/** Events of a namespace beyond this are not looked at. */
const MAX_EVENTS = 500;

type Options = Pick<KubernetesRuntimeOptions, 'connection' | 'limits'>;

interface WorkspacePage {
  items: DevWorkspace[];
  metadata: { resourceVersion?: string; continue?: string };
}

interface Apis extends ConnectedClient {
  core: CoreV1Api;
  custom: CustomObjectsApi;
}

/** Talks to the API server of a cluster. The client is loaded with the first call. */
export class HttpClusterApi implements ClusterApi {
  readonly #options: Options;
  #apis: Promise<Apis> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  getNamespace(name: string): Promise<Namespace | undefined> {
    return orUndefined(
      this.#call(`read the namespace ${name}`, ({ core }) =>
        core.readNamespace({ name }),
      ) as Promise<Namespace>,
    );
  }

  createNamespace(namespace: Namespace): Promise<Namespace> {
    return this.#call(
      `create the namespace ${namespace.metadata.name}`,
      ({ core }) => core.createNamespace({ body: namespace as V1Namespace }),
    ) as Promise<Namespace>;
  }

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
    return orUndefined(this.#get(workspaces, key));
  }

  createWorkspace(workspace: DevWorkspace): Promise<DevWorkspace> {
    return this.#create(workspaces, workspace);
  }

  replaceWorkspace(workspace: DevWorkspace): Promise<DevWorkspace> {
    return this.#replace(workspaces, workspace);
  }

  setStarted(key: ObjectKey, started: boolean): Promise<DevWorkspace> {
    return this.#call(
      `${started ? 'start' : 'stop'} the devworkspace ${key.name} in ${
        key.namespace
      }`,
      ({ client, custom }) =>
        custom.patchNamespacedCustomObject(
          {
            group,
            version,
            plural: workspaces,
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

  async deleteWorkspace(key: ObjectKey & { uid: string }): Promise<void> {
    const { uid, ...object } = key;
    await orUndefined(
      this.#call(
        `delete the devworkspace ${key.name} in ${key.namespace}`,
        ({ custom }) =>
          custom.deleteNamespacedCustomObject({
            group,
            version,
            plural: workspaces,
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
    return orUndefined(this.#get(templates, key));
  }

  createTemplate(
    template: DevWorkspaceTemplate,
  ): Promise<DevWorkspaceTemplate> {
    return this.#create(templates, template);
  }

  replaceTemplate(
    template: DevWorkspaceTemplate,
  ): Promise<DevWorkspaceTemplate> {
    return this.#replace(templates, template);
  }

  async listEvents(namespace: string): Promise<ClusterEvent[]> {
    const { items } = await this.#call(
      `list events in ${namespace}`,
      ({ core }) => core.listNamespacedEvent({ namespace, limit: MAX_EVENTS }),
    );
    return items as ClusterEvent[];
  }

  async watchWorkspaces(options: {
    labelSelector: string;
    resourceVersion: string;
    signal: AbortSignal;
    onOpen(): void;
    onEvent(event: WatchEvent): void;
  }): Promise<void> {
    const connected = await this.#connect();
    try {
      await watchResource(connected, {
        ...options,
        path: `/apis/${group}/${version}/${workspaces}`,
      });
    } catch (error) {
      throw explainFailure(error, 'watch devworkspaces');
    }
  }

  #listPage(labelSelector: string, position?: string): Promise<WorkspacePage> {
    return this.#call('list devworkspaces', ({ custom }) =>
      custom.listCustomObjectForAllNamespaces({
        group,
        version,
        resourcePlural: workspaces,
        labelSelector,
        limit: PAGE_SIZE,
        _continue: position,
      }),
    );
  }

  #get<T>(plural: string, key: ObjectKey): Promise<T> {
    return this.#call(`read ${plural} in ${key.namespace}`, ({ custom }) =>
      custom.getNamespacedCustomObject({ group, version, plural, ...key }),
    );
  }

  #create<T extends DevWorkspace | DevWorkspaceTemplate>(
    plural: string,
    body: T,
  ): Promise<T> {
    const { namespace = '' } = body.metadata;
    return this.#call(`create ${plural} in ${namespace}`, ({ custom }) =>
      custom.createNamespacedCustomObject({
        group,
        version,
        plural,
        namespace,
        body,
      }),
    );
  }

  #replace<T extends DevWorkspace | DevWorkspaceTemplate>(
    plural: string,
    body: T,
  ): Promise<T> {
    const { name, namespace = '' } = body.metadata;
    return this.#call(`change ${plural} in ${namespace}`, ({ custom }) =>
      custom.replaceNamespacedCustomObject({
        group,
        version,
        plural,
        namespace,
        name,
        body,
      }),
    );
  }

  /** A connection that could not be made is tried anew with the next call. */
  async #connect(): Promise<Apis> {
    this.#apis ??= this.#open();
    try {
      return await this.#apis;
    } catch (error) {
      this.#apis = undefined;
      throw error;
    }
  }

  async #open(): Promise<Apis> {
    const { connection, limits } = this.#options;
    const connected = await connectCluster(connection);
    const { client, config } = connected;
    const configuration = client.createConfiguration({
      baseServer: new client.ServerConfiguration(
        config.getCurrentCluster()?.server ?? '',
        {},
      ),
      authMethods: { default: config },
      promiseMiddleware: [
        {
          async pre(request) {
            request.setSignal(AbortSignal.timeout(limits.requestTimeoutMs));
            return request;
          },
          post: async response => response,
        },
      ],
    });
    return {
      ...connected,
      core: new client.CoreV1Api(configuration),
      custom: new client.CustomObjectsApi(configuration),
    };
  }

  async #call<T>(
    action: string,
    request: (apis: Apis) => Promise<T>,
  ): Promise<T> {
    const apis = await this.#connect();
    return retryUnreachable(this.#options.limits.requestAttempts, async () => {
      try {
        return await request(apis);
      } catch (error) {
        throw explainFailure(error, action);
      }
    });
  }
}

/** @returns undefined instead of failing when the object is not there. */
async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}
