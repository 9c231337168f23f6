import { randomBytes, randomUUID } from 'node:crypto';
import {
  NotFoundError,
  type Outbox,
  type ServiceApp,
  type WebhookDelivery,
  type WebhookStore,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import {
  DeliveryList,
  DeliveryQuery,
  EndpointCreation,
  EndpointList,
  EndpointPath,
  NewEndpointAnswer,
} from './schemas.ts';

const tags = ['webhooks'];
const SECRET_BYTES = 24;

/** `/api/admin/webhooks`: where changes are told to, and what became of it. For admins alone. */
export function webhookRoutes(
  app: ServiceApp,
  options: { webhooks: WebhookStore; outbox: Outbox; access: FlagAccess },
): void {
  const { webhooks, outbox, access } = options;
  const config = { access: access.write };

  app.get(
    '/api/admin/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'List the endpoints that were added here',
        response: { 200: EndpointList },
      },
    },
    async () => ({ webhooks: await webhooks.listEndpoints() }),
  );

  app.post(
    '/api/admin/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'Add an endpoint; its secret is shown this once',
        body: EndpointCreation,
        response: { 201: NewEndpointAnswer },
      },
    },
    async ({ body }, reply) => {
      const {
        url,
        events,
        secret = randomBytes(SECRET_BYTES).toString('hex'),
      } = body;
      const endpoint = { id: randomUUID(), url, events, secret };
      await outbox.register(endpoint);
      reply.code(201);
      return endpoint;
    },
  );

  app.delete(
    '/api/admin/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove an endpoint; what waits for it is given up',
        params: EndpointPath,
        response: { 200: Type.Object({}) },
      },
    },
    async ({ params }) => {
      if (!(await webhooks.removeEndpoint(params.id))) {
        throw new NotFoundError(`There is no webhook ${params.id}`);
      }
      return {};
    },
  );

  app.get(
    '/api/admin/webhooks/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'What was sent, newest first',
        querystring: DeliveryQuery,
        response: { 200: DeliveryList },
      },
    },
    async ({ query }) => ({
      deliveries: (await webhooks.list(query)).map(present),
    }),
  );
}

function present(delivery: WebhookDelivery) {
  const { id, event, state, attempts, lastStatus, lastError } = delivery;
  return {
    id,
    webhookId: delivery.endpointId,
    event,
    state,
    attempts,
    createdAt: new Date(delivery.createdAt).toISOString(),
    nextAttemptAt:
      state === 'pending'
        ? new Date(delivery.nextAttemptAt).toISOString()
        : null,
    deliveredAt:
      delivery.deliveredAt === null
        ? null
        : new Date(delivery.deliveredAt).toISOString(),
    lastStatus,
    lastError,
  };
}
