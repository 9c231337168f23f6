import { isoOf } from '@slipway/entity-contract';
import type { Outbox } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { stateOf } from '../model/Flag.ts';
import { importedBy } from '../notices/noticeOfChange.ts';
import type { FlagChange } from './FlagStore.ts';

/** Names of the events that endpoints can subscribe to. */
export const WEBHOOK_EVENTS = [
  'feature-created',
  'feature-updated',
  'feature-archived',
  'feature-revived',
  'features-imported',
] as const;

/**
 * Enqueues the webhook of a change, in its transaction:
 * `{event, createdAt, data: {name, enabled, project, strategies}, createdBy}`; `data` also
 * names the environment if it is not the service's own.
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
      createdAt: isoOf(updatedAt),
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

/**
 * Enqueues the one webhook of an import, in its transaction:
 * `{event, createdAt, data: {created, updated}, createdBy}`. It is sent to endpoints that
 * subscribe to imports, and to those that subscribe to the changes that it made.
 */
export async function enqueueImportWebhook(
  outbox: Pick<Outbox, 'enqueue' | 'endpoints'>,
  trx: Knex.Transaction,
  changes: readonly FlagChange[],
): Promise<void> {
  const { created, updated } = importedBy(changes);
  const names = new Set([
    '*',
    'features-imported',
    ...(created.length > 0 ? ['feature-created'] : []),
    ...(updated.length > 0 ? ['feature-updated'] : []),
  ]);
  const wanting = (await outbox.endpoints.all(trx)).filter(({ events }) =>
    events.some(name => names.has(name)),
  );
  const [{ after, by }] = changes;
  await outbox.enqueue(trx, {
    name: 'features-imported',
    payload: {
      event: 'features-imported',
      createdAt: isoOf(after.updatedAt),
      data: { created, updated },
      createdBy: by,
    },
    to: wanting.map(({ id }) => id),
  });
}
