import { randomBytes } from 'node:crypto';
import {
  NotFoundError,
  type Outbox,
  type ServiceApp,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookStore,
} from '@slipway/service-kit';
import { v7 } from 'uuid';
import type { FeedbackAccess } from '../access.ts';
import { iso } from '../feedback/schemas.ts';
import {
  DeliveryList,
  DeliveryQuery,
  EndpointId,
  EndpointList,
  EndpointRegistration,
  RegisteredEndpoint,
} from './schemas.ts';

/** Lets admins register who is told of issues, and see what was sent. */
export function webhookRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    webhooks: WebhookStore;
    outbox: Outbox;
    /** The endpoints of the configuration. */
    configured: readonly WebhookEndpoint[];
  },
): void {
  const { access, webhooks, outbox, configured } = options;
  const config = { access: access.admin };
  const tags = ['webhooks'];

  app.get(
    '/api/v1/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'List endpoints; secrets are not shown',
        response: { 200: EndpointList },
      },
    },
    async () => ({
      webhooks: [
        ...configured.map(endpoint => present(endpoint, true)),
        ...(await webhooks.listEndpoints()).map(one => present(one, false)),
      ],
    }),
  );

  app.post(
    '/api/v1/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'Register an endpoint; the secret is shown this once',
        body: EndpointRegistration,
        response: { 201: RegisteredEndpoint },
      },
    },
    async ({ body }, reply) => {
      const endpoint = {
        id: `webhook_${v7()}`,
        url: body.url,
        events: [...body.events],
        secret: body.secret ?? randomBytes(32).toString('base64url'),
      };
      await outbox.register(endpoint);
      reply.code(201);
      return { ...present(endpoint, false), secret: endpoint.secret };
    },
  );

  app.delete(
    '/api/v1/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove an endpoint; what waits for it is given up',
        params: EndpointId,
        response: { 204: { type: 'null', description: 'Removed' } },
      },
    },
    async ({ params }, reply) => {
      if (!(await webhooks.removeEndpoint(params.id))) {
        throw new NotFoundError('There is no such webhook to remove');
      }
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/webhooks/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'What was sent, newest first',
        querystring: DeliveryQuery,
        response: { 200: DeliveryList },
      },
    },
    async ({ query }) => {
      const found = await webhooks.list({
        limit: query.limit,
        endpointId: query.webhook_id,
      });
      return { deliveries: found.map(presentDelivery) };
    },
  );
}

function present(endpoint: WebhookEndpoint, isConfigured: boolean) {
  const { id, url, events } = endpoint;
  return { id, url, events, configured: isConfigured };
}

function presentDelivery(delivery: WebhookDelivery) {
  const { state } = delivery;
  return {
    id: delivery.id,
    webhook_id: delivery.endpointId,
    event: delivery.event,
    payload: JSON.parse(delivery.payload) as unknown,
    state,
    attempts: delivery.attempts,
    created_at: iso(delivery.createdAt),
    next_attempt_at: state === 'pending' ? iso(delivery.nextAttemptAt) : null,
    delivered_at:
      delivery.deliveredAt === null ? null : iso(delivery.deliveredAt),
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
  };
}
