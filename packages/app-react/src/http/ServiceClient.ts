import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { toErrorEnvelope } from './toErrorEnvelope';

/** One request. */
export interface ServiceCall {
  /** GET when left out. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What is undefined or empty is left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  body?: object;
  /** The ETag of what was read: 412 where it has changed since. */
  ifMatch?: string;
  signal?: AbortSignal;
  /** `manual` where an answer leads to an address that browsers may not reach. */
  redirect?: 'manual';
}

/**
 * Asks a plugin of the portal, or a companion service through its proxy, with the reader's
 * session.
 */
export class ServiceClient {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;
  readonly #pluginId: string;
  readonly #path: string;

  /**
   * @param options.pluginId - whom to ask; the proxy when left out.
   * @param options.path - below it, e.g. `/space-metrics/api/v1` at the proxy.
   */
  constructor(options: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    pluginId?: string;
    path?: string;
  }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
    this.#pluginId = options.pluginId ?? 'proxy';
    this.#path = options.path ?? '';
  }

  /**
   * @returns the JSON of the answer, unchecked.
   * @throws ResponseError when the answer is none of 2xx, TypeError without one.
   */
  async json<T>(path: string, call?: ServiceCall): Promise<T> {
    return (await this.send(path, call)).json();
  }

  /** Sends a request like {@link ServiceClient.json}, for answers that are no JSON. */
  async send(path: string, call: ServiceCall = {}): Promise<Response> {
    const { method, query = {}, body, ifMatch, signal, redirect } = call;
    const base = await this.#discoveryApi.getBaseUrl(this.#pluginId);
    const url = new URL(`${base}${this.#path}${path}`);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined && value !== '') {
        url.searchParams.set(key, String(value));
      }
    }
    const response = await this.#fetchApi.fetch(url, {
      method,
      signal,
      ...(redirect && { redirect }),
      ...((body || ifMatch) && {
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(ifMatch && { 'if-match': ifMatch }),
        },
      }),
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok && response.type !== 'opaqueredirect') {
      throw await ResponseError.fromResponse(await toErrorEnvelope(response));
    }
    return response;
  }
}
