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
