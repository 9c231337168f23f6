const TIMEOUT_MS = 2_000;
const ATTEMPTS = 2;

class PortalAnswerError extends Error {
  override readonly name = 'PortalAnswerError';
  readonly mayPass: boolean;

  constructor(path: string, status: number) {
    super(`The portal answered ${status} to ${path.split('?')[0]}`);
    this.mayPass = status >= 500;
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
   * @throws Error when there is no good answer.
   */
  async getJson(path: string): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetch(`${this.#baseUrl}${path}`, {
          headers: {
            accept: 'application/json',
            ...(this.#token && { authorization: `Bearer ${this.#token}` }),
          },
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        if (response.ok) {
          return await response.json();
        }
        await response.body?.cancel();
        throw new PortalAnswerError(path, response.status);
      } catch (error) {
        const hopeless = error instanceof PortalAnswerError && !error.mayPass;
        if (attempt === ATTEMPTS || hopeless) {
          throw error;
        }
      }
    }
  }
}
