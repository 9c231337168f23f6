import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { Webhook } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';

/** The states of webhooks, worst first. */
export const WEBHOOK_STATES = [
  'failing',
  'paused',
  'working',
  'unused',
  'unknown',
] as const;
type WebhookState = (typeof WEBHOOK_STATES)[number];

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

const TONES: Readonly<Record<WebhookState, Tone>> = {
  failing: 'danger',
  paused: 'neutral',
  working: 'success',
  unused: 'neutral',
  unknown: 'neutral',
};

/** Shows the state of a webhook. */
export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslationRef(appTranslationRef);
  const state = webhookState(webhook);
  return (
    <StatusBadge
      tone={TONES[state]}
      label={t(`admin.webhooks.states.${state}`)}
    />
  );
}
