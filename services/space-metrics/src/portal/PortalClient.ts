const READ_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

/** The portal answered, but not with what it was asked for. */
export class PortalAnswerError extends Error {
  override readonly name = 'PortalAnswerError';
  readonly status: number;

  constructor(path: string, status: number) {
    super(`The portal answered ${status} to ${path.split('?')[0]}`);
    this.status = status;
  }
}

/** Asks the portal's API with a service token. */
export class PortalClient {
  readonly #baseUrl: string;
  readonly #token: string | undefined;

  /** @param options.baseUrl - without `/api`. */
  constructor(options: { baseUrl: string; token: string | undefined }) {
    this.#baseUrl = options.baseUrl.replace(/\/$/, '');
    this.#token = options.token;
  }

  /**
   * Waits two seconds at most, and asks once more where there was no answer or one
   * that blames the portal.
   *
   * @throws Error when there is no good answer; PortalAnswerError when there is a bad one.
   */
  getJson(path: string): Promise<unknown> {
    return this.#request(path, { timeoutMs: READ_TIMEOUT_MS });
  }

  /**
   * As {@link PortalClient.getJson}, within five seconds. What is sent must bear being
   * sent twice: where there was no answer it may have arrived nevertheless.
   */
  postJson(path: string, body: object): Promise<unknown> {
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
