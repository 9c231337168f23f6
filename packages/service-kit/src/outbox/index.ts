export { DatabaseWebhookStore } from './DatabaseWebhookStore.ts';
export { Outbox } from './Outbox.ts';
export { signWebhook } from './sendWebhook.ts';
export type { WebhookDelivery, WebhookEndpoint } from './Webhook.ts';
export type { WebhookStore } from './WebhookStore.ts';

/** The kit's own tables; migrate them with `tablePrefix: 'kit_'` before the service's. */
export const KIT_MIGRATIONS = new URL('../../migrations/', import.meta.url);
