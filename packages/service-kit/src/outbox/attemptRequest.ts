import {
  AddressRefusedError,
  type AddressRules,
  guardedRequest,
} from '@slipway/platform-guards';

/** The result of one attempt. */
export interface AttemptOutcome {
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  /** Reason why it was not accepted; null if it was. */
  error: string | null;
}

/** The same message for every address, so that it reveals nothing about the network. */
const NOT_ALLOWED =
  'Not sent: the address is in the internal network, and egress.allowedHosts does not list its host';

/**
 * Sends a request to a receiver of data. Any 2xx response counts as accepted; its body is not read.
 * Redirects are not followed, as they would send the body to an address that nobody registered.
 *
 * @param request.rules - the addresses it may be sent to.
 * @param request.acceptedStatuses - statuses besides 2xx that count as accepted.
 */
export async function attemptRequest(
  url: URL,
  request: {
    method: 'POST' | 'PUT';
    headers: Readonly<Record<string, string>>;
    body: string | Buffer;
    rules: AddressRules;
    timeoutMs: number;
    signal?: AbortSignal;
    acceptedStatuses?: readonly number[];
  },
): Promise<AttemptOutcome> {
  const { method, headers, body, rules, timeoutMs, signal } = request;
  const signals = [AbortSignal.timeout(timeoutMs)];
  if (signal) {
    signals.push(signal);
  }
  try {
    const response = await guardedRequest(url, {
      rules,
      method,
      signal: AbortSignal.any(signals),
      headers: { 'Content-Length': Buffer.byteLength(body), ...headers },
      body,
    });
    const { statusCode: status = 0 } = response;
    response.destroy();
    const isAccepted =
      (status >= 200 && status < 300) ||
      (request.acceptedStatuses ?? []).includes(status);
    return {
      status,
      error: isAccepted ? null : `The receiver answered ${status}`,
    };
  } catch (error) {
    return { status: null, error: describe(error, timeoutMs) };
  }
}

function describe(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) {
    return 'The receiver could not be reached';
  }
  if (error instanceof AddressRefusedError) {
    return NOT_ALLOWED;
  }
  if (error.cause instanceof Error && error.cause.name === 'TimeoutError') {
    return `No answer within ${timeoutMs / 1_000} seconds`;
  }
  const { code } = error as { code?: string };
  return `The receiver could not be reached${code ? `: ${code}` : ''}`;
}
