import { Type } from 'typebox';
import {
  defineService,
  type ErrorFormat,
  groupBErrors,
  NotFoundError,
  type ServiceKit,
} from '../index.ts';

const ShopConfig = Type.Object({
  currency: Type.String({ default: 'EUR' }),
  admins: Type.Array(Type.String(), {
    default: ['group:default/platform-admins'],
  }),
});

/** A small service with one route for each feature of the kit. */
export function shopService(
  options: {
    errors?: ErrorFormat;
    /** Registers additional routes for a single test. */
    extend?: (kit: ServiceKit) => void;
  } = {},
) {
  return defineService({
    name: 'shop',
    title: 'Shop',
    configKey: 'shop',
    configSchema: ShopConfig,
    ignoreTrailingSlash: true,
    defaults: { port: 9_999, perMinute: 100 },
    errors: options.errors ?? groupBErrors,
    setUp(kit) {
      const { app, auth, config } = kit;
      app.post(
        '/api/orders',
        {
          config: { access: auth.apiKey(), faults: ['conflict'] },
          schema: {
            summary: 'Place an order',
            body: Type.Object({
              rating: Type.Integer({ minimum: 1, maximum: 5 }),
              kind: Type.Optional(
                Type.Union([Type.Literal('large'), Type.Literal('small')]),
              ),
              size: Type.Optional(
                Type.Union([
                  Type.String({ enum: ['S', 'M'] }),
                  Type.Literal('none'),
                ]),
              ),
              by: Type.Optional(
                Type.Union([
                  Type.Object({ type: Type.Literal('mail') }),
                  Type.Object({ type: Type.Literal('van') }),
                ]),
              ),
              code: Type.Optional(
                Type.String({
                  pattern: '^[A-Z0-9]+$',
                  patternDescription: 'must have letters and digits alone',
                }),
              ),
              plain: Type.Optional(Type.String({ pattern: '\\S' })),
              note: Type.Optional(Type.String({ maxLength: 10 })),
              at: Type.Optional(Type.String({ format: 'date-time' })),
              scores: Type.Optional(
                Type.Object({ effort: Type.Number({ maximum: 100 }) }),
              ),
              extra: Type.Optional(Type.Unknown()),
            }),
            response: { 201: Type.Object({ rating: Type.Integer() }) },
          },
        },
        async (request, reply) => {
          reply.code(201);
          return { rating: request.body.rating };
        },
      );
      app.get(
        '/api/orders',
        {
          config: { access: auth.apiKey({ optional: true }) },
          schema: {
            querystring: Type.Object({
              page: Type.Integer({ minimum: 1, default: 1 }),
              since: Type.Optional(Type.String({ format: 'date-time' })),
            }),
          },
        },
        async request => ({
          page: request.query.page,
          currency: config.currency,
          caller: request.caller.kind,
        }),
      );
      app.get(
        '/api/orders/:id',
        {
          config: { access: auth.anyone },
          schema: {
            params: Type.Object({ id: Type.String({ maxLength: 8 }) }),
          },
        },
        async request => {
          throw new NotFoundError(`Order ${request.params.id} not found`);
        },
      );
      app.get('/api/stock', { config: { access: auth.anyone } }, async () =>
        kit.database.knex('no_such_table').where({ secret: 'hunter2' }),
      );
      options.extend?.(kit);
    },
  });
}

/** The API key header sent by the shop's tests. */
export const shopKey = { 'x-api-key': 'the-key' };

/** Configuration that accepts {@link shopKey}. */
export const shopConfig = {
  auth: { apiKeys: [{ name: 'till', key: 'the-key' }] },
};
