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

/** Error names by status, as `@backstage/errors` names them. */
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
 * Rewrites the error bodies of our interfaces, those of the portal's own plugins and of
 * the companion services behind its proxy, into the envelope that
 * `ResponseError.fromResponse` understands. Without it a page shows the status and the raw
 * body instead of the message. Status, headers and bodies of any other shape stay as they
 * are.
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
    // Not JSON after all: the caller's error handling says so better.
    return undefined;
  }
}

/**
 * The message of `{error: string}` (group A), `{error: {code, message}}` (SPACE metrics,
 * feedback), `{message}` (build server), `{name, message}` (feature flags, as Unleash)
 * and `{code, detail}` (analytics, as PostHog).
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
