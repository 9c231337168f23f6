import { setTimeout as sleep } from 'node:timers/promises';

/** Thrown for a request to the lake that failed permanently; the message says what to do. */
export class LakeRequestError extends Error {
  override name = 'LakeRequestError';
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * Returns the number of milliseconds to wait before another attempt: as requested by the server
 * (`Retry-After`, seconds or a date, RFC 9110 section 10.2.3), otherwise twice as long each time,
 * with random variation so that several senders do not retry at the same time.
 *
 * @param options.attempt - the number of the attempt that failed, starting with 1.
 */
export function retryDelay(options: {
  attempt: number;
  retryAfter: string | null;
  now?: number;
  random?: () => number;
}): number {
  const {
    attempt,
    retryAfter,
    now = Date.now(),
    random = Math.random,
  } = options;
  if (retryAfter) {
    const seconds = Number(retryAfter);
    const asked = Number.isNaN(seconds)
      ? Date.parse(retryAfter) - now
      : seconds * 1_000;
    if (asked >= 0) {
      return Math.min(asked, LONGEST_RETRY_AFTER_MS);
    }
  }
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return delay * (0.75 + random() / 2);
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 6;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

interface Attempt {
  /** The parsed response, if the request succeeded. */
  answer?: unknown;
  /** Reason for the failure, if a retry cannot help. */
  failure?: string;
  retryAfter: string | null;
}

/** Options of {@link LakeClient}. */
interface LakeClientOptions {
  /** URL of the portal's backend, without a trailing slash. */
  url: string;
  token: string;
  /** Timeout of one attempt in milliseconds. */
  timeoutMs?: number;
  /** Maximum number of attempts per request. */
  attempts?: number;
  /** Called before each retry. */
  onRetry?: (text: string) => void;
  /** Waits for a number of milliseconds. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** Sends requests to `/api/delivery-lake` and retries them if that can help. */
export class LakeClient {
  readonly #options: Required<LakeClientOptions>;

  constructor(options: LakeClientOptions) {
    this.#options = {
      timeoutMs: TIMEOUT_MS,
      attempts: ATTEMPTS,
      onRetry: () => {},
      wait: sleep,
      ...options,
    };
  }

  /**
   * Sends a JSON body.
   *
   * @throws LakeRequestError if the last attempt failed, or a retry cannot help.
   */
  post(path: string, body: unknown): Promise<unknown> {
    return this.#request('POST', path, JSON.stringify(body));
  }

  /** Reads a path. @throws LakeRequestError like `post`. */
  get(path: string): Promise<unknown> {
    return this.#request('GET', path);
  }

  async #request(method: string, path: string, body?: string) {
    const { attempts, onRetry, wait } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const { answer, failure, retryAfter } = await this.#attempt(
        method,
        path,
        body,
      );
      if (failure === undefined) {
        return answer;
      }
      if (attempt === attempts) {
        throw new LakeRequestError(failure);
      }
      const delay = retryDelay({ attempt, retryAfter });
      onRetry(`${failure}; trying again in ${(delay / 1_000).toFixed(1)} s`);
      await wait(delay);
    }
  }

  async #attempt(
    method: string,
    path: string,
    body?: string,
  ): Promise<Attempt> {
    const { url, token, timeoutMs } = this.#options;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${url}/api/delivery-lake${path}`, {
        method,
        body,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(timeoutMs),
      });
      text = await response.text();
    } catch (error) {
      return { failure: this.#describeNoAnswer(error), retryAfter: null };
    }
    const { status, headers } = response;
    if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR) {
      return {
        failure: `The portal answered ${status}${reason(text)}`,
        retryAfter: headers.get('retry-after'),
      };
    }
    if (!response.ok) {
      throw new LakeRequestError(this.#describeRefusal(status, text));
    }
    const answer = parseObject(text);
    if (!answer) {
      throw new LakeRequestError(
        `${url} is not a delivery lake: its response is not JSON`,
      );
    }
    return { answer, retryAfter: null };
  }

  #describeNoAnswer(error: unknown): string {
    const { url, timeoutMs } = this.#options;
    if (error instanceof Error && error.name === 'TimeoutError') {
      return `The portal at ${url} took longer than ${timeoutMs / 1_000} s`;
    }
    const cause = error instanceof Error ? error.cause : undefined;
    const code =
      cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    return `The portal is not responding at ${url}${code}; start it with ./slipway dev, or name another with --url`;
  }

  #describeRefusal(status: number, text: string): string {
    switch (status) {
      case 401:
        return 'The portal does not know this token; give a service token with --token or in SLIPWAY_TOKEN';
      case 403:
        return `This token lacks the permission${reason(text)}`;
      case 404:
        return `The portal at ${this.#options.url} did not find it${reason(
          text,
        )}`;
      default:
        return `The portal refused the request with ${status}${reason(text)}`;
    }
  }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the message of an `{error}` body, to append to a sentence. */
function reason(text: string): string {
  const body = parseObject(text);
  return body && 'error' in body && typeof body.error === 'string'
    ? `: ${body.error}`
    : '';
}
