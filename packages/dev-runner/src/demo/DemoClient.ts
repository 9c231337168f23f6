/** The progress of loading or removing the data of one part of the platform. */
interface DemoStep {
  title: string;
  status: 'waiting' | 'running' | 'done' | 'failed';
  done: number;
  total: number;
}

/** The state of the demo organisation as reported by the portal. */
export interface Demo {
  phase: 'absent' | 'loading' | 'loaded' | 'removing' | 'failed';
  steps: DemoStep[];
  error: string | null;
  refusal: string | null;
  writes: { title: string; writes: string }[];
}

/** Thrown if the portal rejects a request or the sign-in, or does not respond. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

const TIMEOUT_MS = 20_000;

/** Calls the portal's API for the demo organisation. */
export class DemoClient {
  readonly #api: string;
  #token: string | undefined;

  /**
   * @param options.api - address of the portal's backend, without a trailing slash.
   * @param options.token - token of an admin; ada's on a development platform.
   */
  constructor(options: { api: string; token?: string }) {
    this.#api = options.api;
    this.#token = options.token;
  }

  read(): Promise<Demo> {
    return this.#call('GET');
  }

  load(): Promise<Demo> {
    return this.#call('POST');
  }

  remove(): Promise<Demo> {
    return this.#call('DELETE');
  }

  async #call(method: string): Promise<Demo> {
    this.#token ??= await this.#signIn();
    const answer = await this.#fetch('/api/demo/organisation', {
      method,
      headers: { authorization: `Bearer ${this.#token}` },
    });
    const body = (await answer.json().catch(() => ({}))) as Demo & {
      error?: { message?: string };
    };
    if (!answer.ok) {
      throw new DemoError(
        body.error?.message ?? `The portal answered ${answer.status}`,
      );
    }
    return body;
  }

  async #signIn(): Promise<string> {
    const answer = await this.#fetch('/api/auth/dev/refresh?user=ada', {});
    if (!answer.ok) {
      throw new DemoError(
        'This portal has no development sign-in: set SLIPWAY_TOKEN to the session token of an admin',
      );
    }
    const { backstageIdentity } = (await answer.json()) as {
      backstageIdentity: { token: string };
    };
    return backstageIdentity.token;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.#api}${path}`, {
        ...init,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch {
      throw new DemoError(
        `The portal is not responding at ${this.#api}: start it with ./slipway dev`,
      );
    }
  }
}
