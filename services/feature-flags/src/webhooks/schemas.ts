import { Type } from 'typebox';
import { WEBHOOK_EVENTS } from '../storage/featureWebhook.ts';

// Nothing can be sent to an address with a password in it, which lists would show.
const Url = Type.String({
  pattern: '^https?://[^/?#@\\\\]+([/?#]|$)',
  patternDescription: 'must be an http or https address without credentials',
  format: 'uri',
  maxLength: 2_000,
});

const Events = Type.Array(Type.String({ enum: ['*', ...WEBHOOK_EVENTS] }), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length + 1,
});

/** Body of `POST /api/admin/webhooks`. */
export const EndpointCreation = Type.Object({
  url: Url,
  events: Type.Array(Events.items, {
    ...Events,
    default: ['*'],
  }),
  secret: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 200,
      description: 'Key of the signature; one is made when it is left out.',
    }),
  ),
});

const endpoint = { id: Type.String(), url: Url, events: Events };

const EndpointAnswer = Type.Object(endpoint);

export const NewEndpointAnswer = Type.Object({
  ...endpoint,
  secret: Type.String({ description: 'It is not shown again.' }),
});

export const EndpointList = Type.Object({
  webhooks: Type.Array(EndpointAnswer),
});

export const EndpointPath = Type.Object({ id: Type.String() });

export const DeliveryQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});

const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const DeliveryList = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      id: Type.String(),
      webhookId: Type.String(),
      event: Type.String(),
      state: Type.String({ enum: ['pending', 'delivered', 'given_up'] }),
      attempts: Type.Integer(),
      createdAt: Type.String({ format: 'date-time' }),
      nextAttemptAt: NullableText,
      deliveredAt: NullableText,
      lastStatus: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      lastError: NullableText,
    }),
  ),
});
