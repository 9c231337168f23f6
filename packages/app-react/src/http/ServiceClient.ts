import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';

/** One request. */
export interface ServiceCall {
  /** GET when left out. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What is undefined or empty is left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  body?: object;
  signal?: AbortSignal;
}

/** Asks one companion service through the portal's proxy, with the reader's session. */
export class ServiceClient {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;
  readonly #path: string;

  /** @param options.path - below the proxy, e.g. `/space-metrics/api/v1`. */
  constructor(options: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    path: string;
  }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
    this.#path = options.path;
  }

  /**
   * @returns the JSON of the answer, unchecked.
   * @throws ResponseError when the answer is none of 2xx, TypeError without one.
   */
  async json<T>(path: string, call?: ServiceCall): Promise<T> {
    return (await this.send(path, call)).json();
  }

  /** As {@link ServiceClient.json}, for answers that are no JSON. */
  async send(path: string, call: ServiceCall = {}): Promise<Response> {
    const { method, query = {}, body, signal } = call;
    const proxy = await this.#discoveryApi.getBaseUrl('proxy');
    const url = new URL(`${proxy}${this.#path}${path}`);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined && value !== '') {
        url.searchParams.set(key, String(value));
      }
    }
    const response = await this.#fetchApi.fetch(url, {
      method,
      signal,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return response;
  }
}
