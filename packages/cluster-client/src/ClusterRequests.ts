import { setTimeout as delay } from 'node:timers/promises';
import type {
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
} from '@kubernetes/client-node';
import {
  type ClusterConnection,
  connectCluster,
  type ConnectedClient,
} from './connectCluster.ts';
import {
  ClusterUnreachableError,
  explainFailure,
  isMissing,
} from './errors.ts';

/** The namespace and name of an object. */
export interface ObjectKey {
  namespace: string;
  name: string;
}

/** Options of requests. */
export interface ClusterRequestOptions {
  connection: ClusterConnection;
  /** The sender of the requests, named in messages, e.g. `the portal`. */
  account: string;
  /** Converts errors of this package to those of the caller; returns its argument otherwise. */
  explain?(error: Error): Error;
  limits: {
    /** Timeout of one request to the API server. */
    requestTimeoutMs: number;
    /** Attempts per request, including the first. */
    requestAttempts: number;
  };
}

/** One kind of object, as named in paths. */
export interface Resource {
  group: string;
  version: string;
  plural: string;
}

/** The client's APIs, connected. */
interface ClusterApis extends ConnectedClient {
  batch: BatchV1Api;
  core: CoreV1Api;
  custom: CustomObjectsApi;
}

/**
 * Sends requests to a cluster, each with a timeout and a limited number of retries if the cluster
 * is unreachable; failures are converted to the errors of this package. The client library is
 * loaded on the first request.
 */
export class ClusterRequests {
  readonly #options: ClusterRequestOptions;
  #apis: Promise<ClusterApis> | undefined;

  constructor(options: ClusterRequestOptions) {
    this.#options = options;
  }

  /** Reads an object. @returns undefined if it does not exist. */
  get<T>(resource: Resource, key: ObjectKey): Promise<T | undefined> {
    return orUndefined(
      this.call<T>(
        `read ${resource.plural} in ${key.namespace}`,
        ({ custom }) =>
          custom.getNamespacedCustomObject({ ...resource, ...key }),
      ),
    );
  }

  create<T extends { metadata: { name: string; namespace?: string } }>(
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

  replace<T extends { metadata: { name: string; namespace?: string } }>(
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

  /** Connects the client. After a failure, the next call retries. */
  async connect(): Promise<ClusterApis> {
    this.#apis ??= this.#open();
    try {
      return await this.#apis;
    } catch (error) {
      this.#apis = undefined;
      throw error;
    }
  }

  async #open(): Promise<ClusterApis> {
    const { connection, account, limits } = this.#options;
    const connected = await connectCluster(connection, account);
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
      batch: new client.BatchV1Api(configuration),
      core: new client.CoreV1Api(configuration),
      custom: new client.CustomObjectsApi(configuration),
    };
  }

  async call<T>(
    action: string,
    request: (apis: ClusterApis) => Promise<T>,
  ): Promise<T> {
    const apis = await this.connect();
    return retryUnreachable(this.#options.limits.requestAttempts, async () => {
      try {
        return await request(apis);
      } catch (error) {
        throw this.explain(error, action);
      }
    });
  }

  /** Converts an error of the client library, e.g. of a watch. */
  explain(error: unknown, action: string): Error {
    const { account, explain } = this.#options;
    const explained = explainFailure(error, { action, account });
    return explain?.(explained) ?? explained;
  }
}

/** Waits for an object. @returns undefined instead of failing if it does not exist. */
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
