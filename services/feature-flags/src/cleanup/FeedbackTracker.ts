import { UnavailableError, withoutSlash } from '@slipway/service-kit';

/** Timeout of all attempts together, in milliseconds; this service's own handlers have 30 seconds. */
const TIMEOUT_MS = 28_000;
const ATTEMPTS = 2;

/** The content of a new issue; the marker identifies it in repeated requests. */
export interface IssueDraft {
  readonly marker: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** Opens issues in the tracker of the feedback service, through its API. */
export class FeedbackTracker {
  readonly #url: string;
  readonly #apiKey: string;

  constructor({ url, apiKey }: { url: string; apiKey: string }) {
    this.#url = withoutSlash(url);
    this.#apiKey = apiKey;
  }

  /**
   * Opens an issue, or returns the one with the same marker. Retries once after a lost
   * connection or a server error, but not after a timeout.
   *
   * @throws UnavailableError
   */
  async open(draft: IssueDraft): Promise<{ number: number; url: string }> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#post(draft, signal).catch(
        (cause: unknown) => cause,
      );
      if (response instanceof Response && response.ok) {
        return readIssue(response);
      }
      const isRefused = response instanceof Response && response.status < 500;
      if (isRefused || signal.aborted || attempt === ATTEMPTS) {
        throw new UnavailableError(
          response instanceof Response
            ? `The feedback service responded with ${response.status}`
            : 'The feedback service is not responding',
          { cause: response },
        );
      }
    }
  }

  #post(draft: IssueDraft, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.#url}/api/v1/issues`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': this.#apiKey,
      },
      body: JSON.stringify(draft),
      redirect: 'error',
      signal,
    });
  }
}

async function readIssue(
  response: Response,
): Promise<{ number: number; url: string }> {
  const issue = (await response.json().catch((cause: unknown) => {
    throw new UnavailableError('The feedback service is not responding', {
      cause,
    });
  })) as { number: number; url: string };
  return { number: issue.number, url: issue.url };
}
