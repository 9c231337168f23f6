import { createHmac } from 'node:crypto';
import type {
  AttemptOutcome,
  WebhookDelivery,
  WebhookEndpoint,
} from './Webhook.ts';

const TIMEOUT_MS = 10_000;

/** `sha256=<hex HMAC-SHA256 of the raw body>`, as `X-Slipway-Signature-256` carries it. */
export function signWebhook(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Makes one attempt. Any 2xx answer is a delivery; redirects are not followed, as
 * they would lead a signed body to where nobody registered it.
 */
export async function sendWebhook(
  endpoint: WebhookEndpoint,
  delivery: Pick<WebhookDelivery, 'id' | 'event' | 'payload'>,
  options: { signal?: AbortSignal } = {},
): Promise<AttemptOutcome> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS)];
  if (options.signal) {
    signals.push(options.signal);
  }
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any(signals),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Slipway-Webhooks',
        'X-Slipway-Event': delivery.event,
        'X-Slipway-Delivery': delivery.id,
        'X-Slipway-Signature-256': signWebhook(
          endpoint.secret,
          delivery.payload,
        ),
        ...endpoint.headers,
      },
      body: delivery.payload,
    });
    await response.body?.cancel();
    return response.ok
      ? { delivered: true, status: response.status }
      : {
          delivered: false,
          status: response.status,
          error: `The receiver answered ${response.status}`,
        };
  } catch (error) {
    return { delivered: false, status: null, error: describe(error) };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'The receiver could not be reached';
  }
  if (error.name === 'TimeoutError') {
    return `No answer within ${TIMEOUT_MS / 1000} seconds`;
  }
  const { code } = (error.cause ?? {}) as { code?: string };
  return `The receiver could not be reached${code ? `: ${code}` : ''}`;
}
