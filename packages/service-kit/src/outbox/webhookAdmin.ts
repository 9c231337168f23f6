import { randomBytes, randomUUID } from 'node:crypto';
import { type TProperties, Type } from 'typebox';
import type { Access } from '../auth/Access.ts';
import { NotFoundError } from '../errors/ServiceError.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import type { Outbox } from './Outbox.ts';
import {
  deliveryListOf,
  namer,
  presentDelivery,
  rename,
  type WebhookAdminFormat,
} from './presentDelivery.ts';
import type { WebhookEndpoint } from './WebhookEndpoints.ts';

const SECRET_BYTES = 32;

/**
 * Registers the routes with which admins manage webhook endpoints and inspect deliveries: `GET`,
 * `POST` and `DELETE …/{id}` of a path, and `GET …/deliveries`.
 *
 * @param options.path - path of the routes, e.g. `/api/v1/webhooks`.
 * @param options.events - names of the events that endpoints can subscribe to, besides `*`.
 */
export function webhookAdminRoutes(
  app: ServiceApp,
  options: {
    path: string;
    access: Access;
    outbox: Outbox;
    events: readonly string[];
    format: WebhookAdminFormat;
  },
): void {
  const { path, outbox, events, format } = options;
  const { endpoints } = outbox;
  const config = { access: options.access };
  const tags = ['webhooks'];
  const schemas = schemasOf({ events, format });
  const named = namer(format);

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'List endpoints, without their secrets',
        response: { 200: schemas.endpointList },
      },
    },
    async () => ({
      webhooks: [
        ...(format.listsConfigured ? endpoints.configured : []).map(one =>
          presentEndpoint(one, { configured: true }),
        ),
        ...(await endpoints.registered()).map(one =>
          presentEndpoint(one, { configured: false }),
        ),
      ],
    }),
  );

  app.post(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Register an endpoint; its secret is shown once',
        body: schemas.registration,
        response: { 201: schemas.registered },
      },
    },
    async ({ body }, reply) => {
      const endpoint = {
        id: randomUUID(),
        url: body.url,
        events: [...body.events],
        secret: body.secret ?? randomBytes(SECRET_BYTES).toString('base64url'),
      };
      await endpoints.register(endpoint);
      reply.code(201);
      return {
        ...presentEndpoint(endpoint, { configured: false }),
        secret: endpoint.secret,
      };
    },
  );

  app.delete(
    `${path}/:id`,
    {
      config,
      schema: {
        tags,
        summary: 'Remove an endpoint and cancel its pending deliveries',
        params: Type.Object({
          id: Type.String({ minLength: 1, maxLength: 100 }),
        }),
        response: {
          [format.removed]:
            format.removed === 200
              ? Type.Object({})
              : { type: 'null', description: 'Removed' },
        },
      },
    },
    async ({ params }, reply) => {
      if (!(await endpoints.remove(params.id))) {
        throw new NotFoundError('Webhook not found');
      }
      return reply
        .code(format.removed)
        .send(format.removed === 200 ? {} : null);
    },
  );

  app.get(
    `${path}/deliveries`,
    {
      config,
      schema: {
        tags,
        summary: 'List deliveries, newest first',
        querystring: schemas.deliveryQuery,
        response: { 200: schemas.deliveryList },
      },
    },
    async ({ query }) => {
      const { limit, ...rest } = query as { limit: number } & Record<
        string,
        string | undefined
      >;
      const found = await outbox.deliveries({
        limit,
        endpointId: rest[named('webhookId')],
      });
      return {
        deliveries: found.map(each => presentDelivery(each, format)),
      };
    },
  );
}

/**
 * Presents an endpoint. Responses contain only the fields of their schema, so `configured` appears
 * only if the format includes it.
 */
function presentEndpoint(
  { id, url, events }: WebhookEndpoint,
  { configured }: { configured: boolean },
) {
  return { id, url, events, configured };
}

/**
 * The address of an endpoint. Addresses that contain a password are rejected: nothing can be sent
 * there, and lists would reveal it.
 */
export const WebhookUrl = Type.String({
  pattern: '^https?://[^/?#@\\\\]+([/?#]|$)',
  patternDescription: 'must be an http or https address without credentials',
  format: 'uri',
  maxLength: 2_048,
});

function schemasOf(options: {
  events: readonly string[];
  format: WebhookAdminFormat;
}) {
  const { format } = options;
  const names = [...options.events, '*'];
  const endpoint = Type.Object({
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    ...(format.listsConfigured && {
      configured: Type.Boolean({
        description:
          'Whether it comes from the configuration and cannot be removed here.',
      }),
    }),
  });
  return {
    registration: Type.Object({
      url: WebhookUrl,
      events: Type.Array(Type.String({ enum: names }), {
        minItems: 1,
        maxItems: names.length,
        default: ['*'],
      }),
      secret: Type.Optional(
        Type.String({
          minLength: 16,
          maxLength: 256,
          description: 'Key of the signature; generated if absent.',
        }),
      ),
    }),
    endpointList: Type.Object({ webhooks: Type.Array(endpoint) }),
    registered: Type.Object({
      ...endpoint.properties,
      secret: Type.String({ description: 'Not shown again.' }),
    }),
    deliveryQuery: Type.Object(
      rename<TProperties[string]>(
        {
          webhookId: Type.Optional(Type.String({ maxLength: 100 })),
          limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
        },
        format,
      ),
    ),
    deliveryList: deliveryListOf(format),
  };
}
