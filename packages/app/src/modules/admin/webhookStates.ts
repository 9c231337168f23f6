import type { Webhook } from '@slipway/entity-contract';

/** The states of webhooks, worst first. */
export const WEBHOOK_STATES = [
  'failing',
  'paused',
  'working',
  'unused',
  'unknown',
] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Returns the state of a webhook; unknown if its part does not record deliveries. */
export function webhookState({
  paused,
  error,
  lastAt,
}: Pick<Webhook, 'paused' | 'error' | 'lastAt'>): WebhookState {
  if (paused) {
    return 'paused';
  }
  if (error !== null) {
    return 'failing';
  }
  if (lastAt === undefined) {
    return 'unknown';
  }
  return lastAt === null ? 'unused' : 'working';
}
