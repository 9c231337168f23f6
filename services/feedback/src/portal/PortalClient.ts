/** The portal answered otherwise than asked for. */
class PortalAnswerError extends Error {
  override readonly name = 'PortalAnswerError';
  readonly status: number;

  constructor(path: string, status: number) {
    super(`The portal answered ${status} to ${path}`);
    this.status = status;
  }
}

const TIMEOUT_MS = 2_000;

/** The portal's API, as a service with a token of its own. */
export class PortalClient {
  readonly #baseUrl: string;
  readonly #token: string | undefined;

  /** @param options.baseUrl - without `/api`. */
  constructor(options: { baseUrl: string; token?: string }) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#token = options.token;
  }

  /** Whether there is a token to ask with. */
  get isConfigured(): boolean {
    return this.#token !== undefined;
  }

  async get(path: string): Promise<unknown> {
    return this.#call(path, { method: 'GET' });
  }

  async post(path: string, body: object): Promise<unknown> {
    return this.#call(path, { method: 'POST', body: JSON.stringify(body) });
  }

  /** @throws PortalAnswerError for an answer that is not 2xx, TypeError for none. */
  async #call(
    path: string,
    init: { method: string; body?: string },
  ): Promise<unknown> {
    if (!this.isConfigured) {
      throw new PortalAnswerError(path, 401);
    }
    const response = await fetch(`${this.#baseUrl}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(init.body && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new PortalAnswerError(path, response.status);
    }
    return response.json();
  }
}
