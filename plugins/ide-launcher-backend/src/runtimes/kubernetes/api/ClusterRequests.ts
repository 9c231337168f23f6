import { setTimeout as delay } from 'node:timers/promises';
import { ServiceUnavailableError } from '@backstage/errors';
import type {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
} from '@kubernetes/client-node';
import { ObjectMeta } from '../objects/types';
import { KubernetesRuntimeOptions, ClusterConnection } from '../options';
import { isMissing, explainFailure, ClusterUnreachableError } from './errors';

/** The namespace and name of an object. */
export interface ObjectKey {
  namespace: string;
  name: string;
}

/** Options of requests. */
export type ClusterRequestOptions = Pick<
  KubernetesRuntimeOptions,
  'connection' | 'limits'
>;

/** One kind of object, as named in paths. */
export interface Resource {
  group: string;
  version: string;
  plural: string;
}

/** The client's APIs, connected. */
interface Apis extends ConnectedClient {
  core: CoreV1Api;
  custom: CustomObjectsApi;
}

/**
 * Sends requests to a cluster, each with a timeout, a limited number of retries if the cluster
 * is unreachable, and our own errors. The client is loaded on the first request.
 */
export class ClusterRequests {
  readonly #options: ClusterRequestOptions;
  #apis: Promise<Apis> | undefined;

  constructor(options: ClusterRequestOptions) {
    this.#options = options;
  }

  /** @returns undefined if the object does not exist. */
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

  /** Connects the client. After a failure, the next call tries again. */
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

/** @returns undefined instead of failing if the object does not exist. */
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

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/**
 * @returns a delay that doubles with each attempt, up to `maxMs`. A third of it is random, so
 * that portals do not all retry at once.
 */
export function backoff(
  attempt: number,
  options: { firstMs: number; maxMs: number },
): number {
  const pause = Math.min(options.firstMs * 2 ** attempt, options.maxMs);
  return pause * (2 / 3 + Math.random() / 3);
}

/** Retries a limited number of times if the cluster was unreachable. */
async function retryUnreachable<T>(
  attempts: number,
  action: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      const last = attempt + 1 >= attempts;
      if (last || !(error instanceof ClusterUnreachableError)) {
        throw error;
      }
      await delay(
        backoff(attempt, { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS }),
      );
    }
  }
}

/** The client library; a large ES module, loaded on demand. */
type KubernetesClient = typeof import('@kubernetes/client-node');

/** The client library with the cluster it is configured for. */
export interface ConnectedClient {
  client: KubernetesClient;
  config: KubeConfig;
}

/**
 * Loads the client and its cluster configuration. Makes no request.
 *
 * @throws ServiceUnavailableError if there is no usable configuration, naming where it was
 * looked for.
 */
async function connectCluster(
  connection: ClusterConnection,
): Promise<ConnectedClient> {
  const client = await import('@kubernetes/client-node');
  const config = new client.KubeConfig();
  const source = describeSource(connection);
  try {
    if (connection.kind === 'in-cluster') {
      if (!process.env.KUBERNETES_SERVICE_HOST) {
        throw new Error('KUBERNETES_SERVICE_HOST is not set');
      }
      config.loadFromCluster(connection.root);
    } else if (connection.file) {
      config.loadFromFile(connection.file);
    } else {
      config.loadFromDefault();
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ServiceUnavailableError(
      `The cluster's address cannot be read from ${source}: ${cause}`,
    );
  }
  if (connection.kind === 'kubeconfig' && connection.context) {
    config.setCurrentContext(connection.context);
  }
  if (!config.getCurrentCluster()?.server) {
    throw new ServiceUnavailableError(
      `${source} names no cluster${
        connection.kind === 'kubeconfig' && connection.context
          ? ` for the context ${connection.context}`
          : ''
      }`,
    );
  }
  return { client, config };
}

function describeSource(connection: ClusterConnection): string {
  if (connection.kind === 'in-cluster') {
    return "the service account of the portal's pod";
  }
  return connection.file ?? 'the default kubeconfig';
}
