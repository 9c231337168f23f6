/** Thrown if the portal responds with an error. */
export class PortalAnswerError extends Error {
  override readonly name = 'PortalAnswerError';
  /** HTTP status of the response. */
  readonly status: number;

  /** @param path - the requested path; its query is left out of the message. */
  constructor(path: string, status: number) {
    super(`The portal answered ${status} to ${path.split('?')[0]}`);
    this.status = status;
  }
}

const READ_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

/**
 * Calls the portal's API as the service itself, with a token from `backend.auth.externalAccess`.
 */
export class PortalClient {
  readonly #baseUrl: string;
  readonly #token: string | undefined;

  /**
   * @param options.baseUrl - address without `/api`.
   * @param options.token - if missing, requests are anonymous and the portal allows little.
   */
  constructor(options: { baseUrl: string; token: string | undefined }) {
    this.#baseUrl = withoutSlash(options.baseUrl);
    this.#token = options.token;
  }

  /**
   * Sends a GET request with a timeout of two seconds, or `timeoutMs`. Retries once if there is no
   * response or a server error. Redirects are errors: following them could send the token
   * elsewhere.
   *
   * @returns the JSON of the response.
   * @throws PortalAnswerError if the response is not 2xx; another Error if there is none.
   */
  get(
    path: string,
    { timeoutMs = READ_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<unknown> {
    return this.#request(path, { timeoutMs });
  }

  /**
   * Sends a POST request like {@link PortalClient.get}, with a timeout of five seconds. The request
   * must be idempotent: a request without a response may have arrived and is sent again.
   */
  post(path: string, body: object): Promise<unknown> {
    return this.#request(path, { timeoutMs: WRITE_TIMEOUT_MS, body });
  }

  async #request(
    path: string,
    options: { timeoutMs: number; body?: object },
  ): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(path, options);
      } catch (error) {
        const hopeless =
          error instanceof PortalAnswerError && error.status < 500;
        if (attempt === ATTEMPTS || hopeless) {
          throw error;
        }
      }
    }
  }

  async #attempt(
    path: string,
    { timeoutMs, body }: { timeoutMs: number; body?: object },
  ): Promise<unknown> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) {
      return response.json();
    }
    // Not awaited: the timeout does not limit how long that takes.
    response.body?.cancel().catch(() => undefined);
    throw new PortalAnswerError(path, response.status);
  }
}

/** Removes trailing slashes from an address, so that a path can be appended. */
export function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') {
    end -= 1;
  }
  return url.slice(0, end);
}
