import { setTimeout as sleep } from 'node:timers/promises';
import {
  AuthService,
  BackstageCredentials,
  DiscoveryService,
} from '@backstage/backend-plugin-api';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const FIRST_DELAY_MS = 300;
/** The maximum wait until a rate limit has passed. */
const MAX_DELAY_MS = 65_000;
const MAX_ERROR_CHARACTERS = 300;

/** A failed request to a part of the platform. */
class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A request to a part of the platform. */
export interface PlatformRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the URL of the part, with its query. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** Statuses that count as success. */
  accepted?: readonly number[];
}

/**
 * Calls the public APIs of the platform: those of plugins as the demo plugin, those of companion
 * services through the portal's proxy as the admin who made the request.
 */
export class PlatformClient {
  readonly #auth: AuthService;
  readonly #discovery: DiscoveryService;
  readonly #credentials: BackstageCredentials;

  constructor(options: {
    auth: AuthService;
    discovery: DiscoveryService;
    /** The admin's credentials. */
    credentials: BackstageCredentials;
  }) {
    this.#auth = options.auth;
    this.#discovery = options.discovery;
    this.#credentials = options.credentials;
  }

  /** Calls a plugin of the portal. @throws PlatformError */
  async plugin<T = unknown>(id: string, request: PlatformRequest): Promise<T> {
    return this.#call(
      `${await this.#discovery.getBaseUrl(id)}${request.path}`,
      request,
      await this.#tokenFor(id, await this.#auth.getOwnServiceCredentials()),
    );
  }

  /** Calls a companion service. @throws PlatformError */
  async service<T = unknown>(
    name: string,
    request: PlatformRequest,
  ): Promise<T> {
    const proxy = await this.#discovery.getBaseUrl('proxy');
    return this.#call(
      `${proxy}/${name}${request.path}`,
      request,
      await this.#tokenFor('proxy', this.#credentials),
    );
  }

  /** Calls a plugin of the portal as the admin. @throws PlatformError */
  async asAdmin<T = unknown>(id: string, request: PlatformRequest): Promise<T> {
    return this.#call(
      `${await this.#discovery.getBaseUrl(id)}${request.path}`,
      request,
      await this.#tokenFor(id, this.#credentials),
    );
  }

  /** Calls a URL with its own credentials. @throws PlatformError */
  direct<T = unknown>(address: string, request: PlatformRequest): Promise<T> {
    return this.#call(`${address}${request.path}`, request, undefined);
  }

  async #tokenFor(
    targetPluginId: string,
    onBehalfOf: BackstageCredentials,
  ): Promise<string> {
    const { token } = await this.#auth.getPluginRequestToken({
      onBehalfOf,
      targetPluginId,
    });
    return token;
  }

  async #call<T>(
    url: string,
    { method, path, body, headers, accepted = [] }: PlatformRequest,
    token: string | undefined,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(url, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      });
      const text = await answer.text();
      if (answer.ok || accepted.includes(answer.status)) {
        return (text === '' ? undefined : parse(text)) as T;
      }
      if (attempt === ATTEMPTS || ![429, 503].includes(answer.status)) {
        throw new PlatformError(
          `${method} ${path} returned ${answer.status}: ${messageIn(text).slice(0, MAX_ERROR_CHARACTERS)}`,
          answer.status,
        );
      }
      await sleep(delayOf(answer, attempt));
    }
  }
}

/** Sends a request. @throws Error with a readable message if there was no response. */
async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const { origin, pathname } = new URL(url);
    throw new Error(
      (error as Error).name === 'TimeoutError'
        ? `No response within ${TIMEOUT_MS / 1_000} s to ${request.method} ${pathname}`
        : `${origin} is not responding`,
      { cause: error },
    );
  }
}

/** Returns the message in the body of an error, which each part formats in its own way. */
function messageIn(text: string): string {
  const body = parse(text) as {
    message?: unknown;
    detail?: unknown;
    error?: string | { message?: unknown };
  } | null;
  const error = body?.error;
  const message =
    typeof error === 'string'
      ? error
      : (error?.message ?? body?.message ?? body?.detail);
  return typeof message === 'string' ? message : text;
}

function delayOf(answer: Response, attempt: number): number {
  const seconds = Number(answer.headers.get('retry-after'));
  return Math.min(
    MAX_DELAY_MS,
    seconds > 0 ? seconds * 1_000 : FIRST_DELAY_MS * 2 ** attempt,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
