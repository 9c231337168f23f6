import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { Webhook } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { type WebhookState, webhookState } from './webhookStates';

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
