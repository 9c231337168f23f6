import { createHmac } from 'node:crypto';
import {
  AddressRefusedError,
  type AddressRules,
  guardedRequest,
} from '@slipway/platform-guards';
import type { WebhookEndpoint } from './WebhookEndpoints.ts';

/** The result of one attempt. */
export interface AttemptOutcome {
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  /** Reason why it was not accepted; null if it was. */
  error: string | null;
}

const TIMEOUT_MS = 10_000;

/** The same message for every address, so that it reveals nothing about the network. */
const NOT_ALLOWED =
  'Not sent: the address is in the internal network, and egress.allowedHosts does not list its host';

/** Returns `sha256=<hex HMAC-SHA256 of the raw body>`, the value of `X-Slipway-Signature-256`. */
export function signWebhook(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Makes one delivery attempt. Any 2xx response counts as delivered; redirects are not followed, as
 * they would send a signed body to an address that nobody registered.
 *
 * @param delivery.body - JSON, sent and signed unchanged.
 * @param options.rules - the addresses it may be sent to.
 */
export async function sendWebhook(
  endpoint: WebhookEndpoint,
  delivery: { id: string; event: string; body: string },
  options: { rules: AddressRules; signal?: AbortSignal },
): Promise<AttemptOutcome> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS)];
  if (options.signal) {
    signals.push(options.signal);
  }
  try {
    const answer = await guardedRequest(new URL(endpoint.url), {
      rules: options.rules,
      method: 'POST',
      signal: AbortSignal.any(signals),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(delivery.body),
        'User-Agent': 'Slipway-Webhooks',
        'X-Slipway-Event': delivery.event,
        'X-Slipway-Delivery': delivery.id,
        ...(endpoint.secret !== undefined && {
          'X-Slipway-Signature-256': signWebhook(
            endpoint.secret,
            delivery.body,
          ),
        }),
        ...endpoint.headers,
      },
      body: delivery.body,
    });
    const { statusCode: status = 0 } = answer;
    answer.destroy();
    const isTaken =
      (status >= 200 && status < 300) ||
      (endpoint.takenStatuses ?? []).includes(status);
    return {
      status,
      error: isTaken ? null : `The receiver answered ${status}`,
    };
  } catch (error) {
    return { status: null, error: describe(error) };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'The receiver could not be reached';
  }
  if (error instanceof AddressRefusedError) {
    return NOT_ALLOWED;
  }
  if (error.cause instanceof Error && error.cause.name === 'TimeoutError') {
    return `No answer within ${TIMEOUT_MS / 1000} seconds`;
  }
  const { code } = error as { code?: string };
  return `The receiver could not be reached${code ? `: ${code}` : ''}`;
}
