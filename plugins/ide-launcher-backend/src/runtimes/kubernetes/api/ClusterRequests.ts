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
interface Apis extends ConnectedClient {
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

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** @returns a pause that doubles with each attempt, up to `maxMs`, a third of it by chance, so that portals do not come all at once. */
export function backoff(
  attempt: number,
  options: { firstMs: number; maxMs: number },
): number {
  const pause = Math.min(options.firstMs * 2 ** attempt, options.maxMs);
  return pause * (2 / 3 + Math.random() / 3);
}

/** Tries again, a bounded number of times, what failed because the cluster could not be asked. */
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
        backoff(attempt, { firstMs: FIRST_PAUSE_MS, maxMs: LONGEST_PAUSE_MS }),
      );
    }
  }
}

/** The client library; an ES module of some size, loaded by those who use it. */
type KubernetesClient = typeof import('@kubernetes/client-node');

/** The client library with the cluster that it talks to. */
export interface ConnectedClient {
  client: KubernetesClient;
  config: KubeConfig;
}

/**
 * Loads the client and reads where the cluster is. No request is made.
 *
 * @throws ServiceUnavailableError when there is no usable configuration, saying where it was looked for.
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
