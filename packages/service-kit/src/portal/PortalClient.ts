/** The portal answered, but not with what it was asked for. */
export class PortalAnswerError extends Error {
  override readonly name = 'PortalAnswerError';
  /** HTTP status of the answer. */
  readonly status: number;

  /** @param path - what was asked for; its query is left out. */
  constructor(path: string, status: number) {
    super(`The portal answered ${status} to ${path.split('?')[0]}`);
    this.status = status;
  }
}
const READ_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

/** Asks the portal's API as the service itself, with a token of `backend.auth.externalAccess`. */
export class PortalClient {
  readonly #baseUrl: string;
  readonly #token: string | undefined;

  /**
   * @param options.baseUrl - without `/api`.
   * @param options.token - without one it asks as anybody does, whom the portal answers little.
   */
  constructor(options: { baseUrl: string; token: string | undefined }) {
    this.#baseUrl = withoutSlash(options.baseUrl);
    this.#token = options.token;
  }

  /**
   * Waits two seconds at most, or `timeoutMs`, and asks once more where there was no answer or one that
   * blames the portal. A redirect is no answer: it would take the token elsewhere.
   *
   * @returns the JSON of the answer.
   * @throws PortalAnswerError for an answer that is not 2xx; another Error when there is none.
   */
  get(
    path: string,
    { timeoutMs = READ_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<unknown> {
    return this.#request(path, { timeoutMs });
  }

  /**
   * As {@link PortalClient.get}, within five seconds. What is sent must bear being sent
   * twice: where there was no answer it may have arrived nevertheless.
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
    await response.body?.cancel();
    throw new PortalAnswerError(path, response.status);
  }
}

/** An address that a path can be put behind: without the slashes at its end. */
export function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') {
    end -= 1;
  }
  return url.slice(0, end);
}
