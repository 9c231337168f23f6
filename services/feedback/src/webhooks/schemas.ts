import { Type } from 'typebox';

/** Names of the events that the service sends. */
const EVENTS = ['feedback.tracker_issue_created', '*'];

export const EndpointId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
});

/** Body of `POST /api/v1/webhooks`. */
export const EndpointRegistration = Type.Object({
  // Nothing can be sent to an address with a password in it, which lists would show.
  url: Type.String({
    pattern: '^https?://[^/?#@\\\\]+([/?#]|$)',
    patternDescription: 'must be an http or https address without credentials',
    format: 'uri',
    maxLength: 2_048,
  }),
  events: Type.Array(Type.String({ enum: EVENTS }), {
    minItems: 1,
    maxItems: EVENTS.length,
    default: ['*'],
  }),
  secret: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 256,
      description: 'Made by the service when left out.',
    }),
  ),
});

const EndpointAnswer = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  configured: Type.Boolean({
    description: 'In the configuration, and therefore not removable here.',
  }),
});

/** Shown once. */
export const RegisteredEndpoint = Type.Object({
  ...EndpointAnswer.properties,
  secret: Type.String(),
});

export const EndpointList = Type.Object({
  webhooks: Type.Array(EndpointAnswer),
});

export const DeliveryQuery = Type.Object({
  webhook_id: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});

export const DeliveryList = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      id: Type.String(),
      webhook_id: Type.String(),
      event: Type.String(),
      payload: Type.Unknown(),
      state: Type.String({ enum: ['pending', 'delivered', 'given_up'] }),
      attempts: Type.Integer(),
      created_at: Type.String(),
      next_attempt_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      delivered_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      last_status: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      last_error: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    }),
  ),
});
