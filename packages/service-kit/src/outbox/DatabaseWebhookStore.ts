import type { Knex } from 'knex';
import type { Database } from '../database/openDatabase.ts';
import type {
  RegisteredEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
} from './Webhook.ts';
import type { WebhookStore } from './WebhookStore.ts';

interface DeliveryRow {
  id: string;
  endpoint_id: string;
  event: string;
  payload: string;
  state: string;
  attempts: number;
  created_at: number | string;
  next_attempt_at: number | string;
  delivered_at: number | string | null;
  last_status: number | null;
  last_error: string | null;
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    event: row.event,
    payload: row.payload,
    state: row.state as WebhookDelivery['state'],
    attempts: row.attempts,
    createdAt: Number(row.created_at),
    nextAttemptAt: Number(row.next_attempt_at),
    deliveredAt: row.delivered_at === null ? null : Number(row.delivered_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}

/** Endpoints and deliveries in the service's own database. */
export class DatabaseWebhookStore implements WebhookStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async listEndpoints(trx?: Knex.Transaction): Promise<WebhookEndpoint[]> {
    const rows = await (trx ?? this.#database.knex)(
      'webhook_endpoints',
    ).orderBy('created_at');
    return rows.map(row => ({
      id: row.id,
      url: row.url,
      secret: row.secret,
      events: JSON.parse(row.events),
    }));
  }

  async insertEndpoint(endpoint: RegisteredEndpoint): Promise<void> {
    await this.#database.transaction(trx =>
      trx('webhook_endpoints').insert({
        ...endpoint,
        events: JSON.stringify(endpoint.events),
        created_at: Date.now(),
      }),
    );
  }

  async removeEndpoint(id: string): Promise<boolean> {
    const removed = await this.#database.transaction(trx =>
      trx('webhook_endpoints').where({ id }).delete(),
    );
    return removed > 0;
  }

  async enqueue(
    trx: Knex.Transaction,
    deliveries: Parameters<WebhookStore['enqueue']>[1],
  ): Promise<void> {
    if (deliveries.length > 0) {
      await trx('webhook_deliveries').insert(
        deliveries.map(delivery => ({
          id: delivery.id,
          endpoint_id: delivery.endpointId,
          event: delivery.event,
          payload: delivery.payload,
          state: 'pending',
          attempts: 0,
          created_at: delivery.createdAt,
          next_attempt_at: delivery.createdAt,
        })),
      );
    }
  }

  async lease({
    now,
    leaseMs,
    limit,
    except = [],
  }: Parameters<WebhookStore['lease']>[0]): Promise<WebhookDelivery[]> {
    return this.#database.transaction(async trx => {
      const due = trx<DeliveryRow>('webhook_deliveries')
        .select('id')
        .where({ state: 'pending' })
        .where('next_attempt_at', '<=', now)
        .whereNotIn('endpoint_id', except)
        .orderBy('next_attempt_at')
        .limit(limit);
      if (this.#database.client === 'postgres') {
        due.forUpdate().skipLocked();
      }
      const rows = await trx<DeliveryRow>('webhook_deliveries')
        .whereIn('id', due)
        .update({ next_attempt_at: now + leaseMs })
        .returning('*');
      return rows.map(toDelivery);
    });
  }

  async settle(
    id: string,
    outcome: Parameters<WebhookStore['settle']>[1],
    { now, retryAt }: Parameters<WebhookStore['settle']>[2],
  ): Promise<void> {
    const retry =
      retryAt === null ? { state: 'given_up' } : { next_attempt_at: retryAt };
    await this.#database.transaction(trx =>
      trx('webhook_deliveries')
        .where({ id, state: 'pending' })
        .update({
          attempts: trx.raw('attempts + 1'),
          last_status: outcome.status,
          last_error: outcome.delivered ? null : outcome.error,
          ...(outcome.delivered && { state: 'delivered', delivered_at: now }),
          ...(!outcome.delivered && retry),
        }),
    );
  }

  async list({
    limit,
    endpointId,
  }: Parameters<WebhookStore['list']>[0]): Promise<WebhookDelivery[]> {
    const query = this.#database
      .knex<DeliveryRow>('webhook_deliveries')
      .orderBy('created_at', 'desc')
      .limit(limit);
    if (endpointId !== undefined) {
      query.where({ endpoint_id: endpointId });
    }
    return (await query).map(toDelivery);
  }

  async purge(endedBefore: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx('webhook_deliveries')
        .whereNot({ state: 'pending' })
        .where('created_at', '<', endedBefore)
        .delete(),
    );
  }
}
