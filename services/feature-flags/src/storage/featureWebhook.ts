import type { Outbox } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { FlagChange } from './FlagStore.ts';

/** Names of the events that endpoints can ask for. */
export const WEBHOOK_EVENTS = [
  'feature-created',
  'feature-updated',
  'feature-archived',
  'feature-revived',
] as const;

/**
 * Writes the webhook of a change down, in its transaction:
 * `{event, createdAt, data: {name, enabled, project, strategies}, createdBy}`.
 */
export async function enqueueFeatureWebhook(
  outbox: Pick<Outbox, 'enqueue'>,
  trx: Knex.Transaction,
  { type, after, by }: FlagChange,
): Promise<void> {
  const { name, enabled, project, strategies, updatedAt } = after;
  await outbox.enqueue(trx, {
    name: type,
    payload: {
      event: type,
      createdAt: new Date(updatedAt).toISOString(),
      data: { name, enabled, project, strategies },
      createdBy: by,
    },
  });
}
