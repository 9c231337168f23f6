import { createHmac } from 'node:crypto';
import type { AddressRules } from '@slipway/platform-guards';
import { type AttemptOutcome, attemptRequest } from './attemptRequest.ts';
import type { WebhookEndpoint } from './WebhookEndpoints.ts';

const TIMEOUT_MS = 10_000;

/** Returns `sha256=<hex HMAC-SHA256 of the raw body>`, the value of `X-Slipway-Signature-256`. */
export function signWebhook(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Makes one delivery attempt.
 *
 * @param delivery.body - JSON, sent and signed unchanged.
 * @param options.rules - the addresses it may be sent to.
 */
export async function sendWebhook(
  endpoint: WebhookEndpoint,
  delivery: { id: string; event: string; body: string },
  options: { rules: AddressRules; signal?: AbortSignal },
): Promise<AttemptOutcome> {
  const { id, event, body } = delivery;
  const { secret, headers, acceptedStatuses } = endpoint;
  return attemptRequest(new URL(endpoint.url), {
    ...options,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Slipway-Webhooks',
      'X-Slipway-Event': event,
      'X-Slipway-Delivery': id,
      ...(secret !== undefined && {
        'X-Slipway-Signature-256': signWebhook(secret, body),
      }),
      ...headers,
    },
    body,
    timeoutMs: TIMEOUT_MS,
    acceptedStatuses,
  });
}
