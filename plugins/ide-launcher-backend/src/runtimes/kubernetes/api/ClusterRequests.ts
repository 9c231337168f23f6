import type { CoreV1Api, CustomObjectsApi } from '@kubernetes/client-node';
import { KubernetesRuntimeOptions } from '../KubernetesRuntimeOptions';
import { ObjectMeta } from '../objects/types';
import { ObjectKey } from './ClusterApi';
import { ConnectedClient, connectCluster } from './connectCluster';
import { isMissing } from './errors';
import { explainFailure } from './explainFailure';
import { retryUnreachable } from './retry';

/** What requests need to know. */
export type ClusterRequestOptions = Pick<
  KubernetesRuntimeOptions,
  'connection' | 'limits'
>;

/** One kind of objects, as paths name it. */
export interface Resource {
  group: string;
  version: string;
  plural: string;
}

/** The client's APIs, connected. */
export interface Apis extends ConnectedClient {
  core: CoreV1Api;
  custom: CustomObjectsApi;
}

/**
 * Makes requests of a cluster: each within its time limit, again a bounded number
 * of times where the cluster could not be asked, failing with an error of ours.
 * The client is loaded with the first.
 */
export class ClusterRequests {
  readonly #options: ClusterRequestOptions;
  #apis: Promise<Apis> | undefined;

  constructor(options: ClusterRequestOptions) {
    this.#options = options;
  }

  /** @returns undefined when there is none. */
  get<T>(resource: Resource, key: ObjectKey): Promise<T | undefined> {
    return orUndefined(
      this.call<T>(
        `read ${resource.plural} in ${key.namespace}`,
        ({ custom }) =>
          custom.getNamespacedCustomObject({ ...resource, ...key }),
      ),
    );
  }

  create<T extends { metadata: ObjectMeta }>(
    resource: Resource,
    body: T,
  ): Promise<T> {
    const { namespace = '' } = body.metadata;
    return this.call(
      `create ${resource.plural} in ${namespace}`,
      ({ custom }) =>
        custom.createNamespacedCustomObject({ ...resource, namespace, body }),
    );
  }

  replace<T extends { metadata: ObjectMeta }>(
    resource: Resource,
    body: T,
  ): Promise<T> {
    const { name, namespace = '' } = body.metadata;
    return this.call(
      `change ${resource.plural} in ${namespace}`,
      ({ custom }) =>
        custom.replaceNamespacedCustomObject({
          ...resource,
          namespace,
          name,
          body,
        }),
    );
  }

  /** A connection that could not be made is tried anew with the next call. */
  async connect(): Promise<Apis> {
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

  async call<T>(
    action: string,
    request: (apis: Apis) => Promise<T>,
  ): Promise<T> {
    const apis = await this.connect();
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
export async function orUndefined<T>(
  found: Promise<T>,
): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}
