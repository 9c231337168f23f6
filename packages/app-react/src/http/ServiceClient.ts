import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';

/** Options of every call that reads. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** A request to a service. */
export interface ServiceCall extends CallOptions {
  /** Defaults to GET. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Undefined and empty values are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  body?: object;
  /** The ETag of the version that was read; 412 if it has changed since. */
  ifMatch?: string;
  /** `manual` if a response redirects to an address that browsers may not reach. */
  redirect?: 'manual';
}

/**
 * Calls a plugin of the portal, or a companion service through its proxy, with the user's session.
 */
export class ServiceClient {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;
  readonly #pluginId: string;
  readonly #path: string;

  /**
   * @param options.pluginId - the plugin to call; defaults to the proxy.
   * @param options.path - path within the plugin, e.g. `/space-metrics/api/v1` at the proxy.
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
   * Sends a request and reads the JSON of the response, which is not validated.
   *
   * @throws ResponseError if the response is not 2xx; TypeError if there is none.
   */
  async json<T>(path: string, call?: ServiceCall): Promise<T> {
    return (await this.send(path, call)).json();
  }

  /** Sends a request like {@link ServiceClient.json}, for responses other than JSON. */
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

/** Error names by status, as used by `@backstage/errors`. */
const NAMES: Record<number, string> = {
  304: 'NotModifiedError',
  400: 'InputError',
  401: 'AuthenticationError',
  403: 'NotAllowedError',
  404: 'NotFoundError',
  409: 'ConflictError',
  501: 'NotImplementedError',
  503: 'ServiceUnavailableError',
};

/**
 * Converts the error bodies of our APIs, i.e. of the portal's own plugins and of the companion
 * services behind its proxy, to the envelope that `ResponseError.fromResponse` understands.
 * Otherwise a page would show the status and the raw body instead of the message. Status, headers
 * and bodies of any other shape do not change.
 */
export async function toErrorEnvelope(response: Response): Promise<Response> {
  const message = await readMessage(response);
  if (message === undefined) {
    return response;
  }
  const envelope = {
    error: { name: NAMES[response.status] ?? 'Error', message },
    response: { statusCode: response.status },
  };
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(envelope), {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}

async function readMessage(response: Response): Promise<string | undefined> {
  if (!response.headers.get('content-type')?.includes('json')) {
    return undefined;
  }
  try {
    const body: unknown = await response.clone().json();
    return messageOf(body);
  } catch {
    // Not JSON after all: left to the caller's error handling.
    return undefined;
  }
}

/**
 * Extracts the message from an error body of our APIs; undefined for any other body:
 *
 * - `{error: string}`: workspaces, deliveries and the catalog
 * - `{error: {code, message}}`: SPACE metrics and feedback
 * - `{message}`: build server
 * - `{name, message}`: feature flags, as in Unleash
 * - `{code, detail}`: analytics, as in PostHog
 */
function messageOf(body: unknown): string | undefined {
  const answer = (body ?? {}) as Record<string, unknown>;
  if (typeof answer.error === 'string') {
    return answer.error;
  }
  if (answer.response) {
    return undefined;
  }
  const error = (answer.error ?? answer) as Record<string, unknown>;
  const message = error.message ?? error.detail;
  return typeof message === 'string' ? message : undefined;
}
