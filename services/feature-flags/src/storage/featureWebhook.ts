import type { Outbox } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { stateOf } from '../model/Flag.ts';
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
 * `{event, createdAt, data: {name, enabled, project, strategies}, createdBy}`; `data` also
 * names the environment where that is not the service's own.
 *
 * @param own - the service's environment.
 */
export async function enqueueFeatureWebhook(
  outbox: Pick<Outbox, 'enqueue'>,
  trx: Knex.Transaction,
  { type, after, environment, by }: FlagChange,
  own: string,
): Promise<void> {
  const { name, project, updatedAt } = after;
  const { enabled, strategies } = stateOf(after, environment);
  await outbox.enqueue(trx, {
    name: type,
    payload: {
      event: type,
      createdAt: new Date(updatedAt).toISOString(),
      data: {
        name,
        enabled,
        project,
        strategies: strategies.map(({ id: _id, ...strategy }) => strategy),
        ...(environment !== own && { environment }),
      },
      createdBy: by,
    },
  });
}
