import {
  AddressRefusedError,
  anyAddress,
  guardedRequest,
} from '@slipway/platform-guards';

const TIMEOUT_MS = 30_000;

/**
 * Sends a request to an address of the configuration; redirects are not followed.
 * @throws with a message for operators if the response is not 2xx.
 */
export async function sendTo(
  url: URL,
  options: {
    method: 'POST' | 'PUT';
    headers: Record<string, string>;
    body: Buffer;
    signal: AbortSignal;
  },
): Promise<void> {
  const { method, headers, body, signal } = options;
  let status: number;
  try {
    const response = await guardedRequest(url, {
      // The operator chose the address.
      rules: anyAddress,
      method,
      headers: { ...headers, 'Content-Length': String(body.length) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    status = response.statusCode ?? 0;
    response.destroy();
  } catch (error) {
    throw new Error(describe(error), { cause: error });
  }
  if (status < 200 || status >= 300) {
    throw new Error(`The receiver answered ${status}`);
  }
}

function describe(error: unknown): string {
  if (error instanceof AddressRefusedError) {
    return error.message;
  }
  const { code, cause } = error as { code?: string; cause?: Error };
  if (cause?.name === 'TimeoutError') {
    return `No answer within ${TIMEOUT_MS / 1_000} seconds`;
  }
  return `The receiver could not be reached${code ? `: ${code}` : ''}`;
}
