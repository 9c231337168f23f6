import { type Static, Type } from 'typebox';

const TOKEN_KINDS = [
  /** A program calls the portal with it. */
  'service-token',
  /** A program calls a part with it. */
  'api-token',
  'api-key',
  'admin-token',
  'client-token',
  'frontend-token',
  /** A product sends events with it. */
  'project-key',
  /** A machine gets builds with it. */
  'agent-token',
  /** Enrols one agent. */
  'enrolment-token',
  /** Proves who sent a webhook. */
  'webhook-secret',
  /** A part calls another system with it. */
  'outgoing',
] as const;
/** The purpose of a token. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

function maybe(options: { format?: 'date-time'; description?: string }) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
}

const Instant = maybe({ format: 'date-time' });
const Text = maybe({});
const PartPath = Type.String({
  pattern: '^/',
  description: 'A path of the part, called with the session of the admin.',
});

const common = {
  id: Type.String({ description: 'Unique in its list.' }),
  name: Type.String(),
  configured: Type.Boolean({
    description: 'It comes from the configuration, and is changed there.',
  }),
  page: Type.Optional(
    Type.String({ description: 'The page of the portal that manages it.' }),
  ),
  remove: Type.Optional(PartPath),
};

/** A role of a part, and who has it. */
const roleSchema = Type.Object({
  name: Type.String({ description: 'Unique in its part, e.g. `Admins`.' }),
  groups: Type.Array(Type.String(), {
    description:
      'Entity references of the groups that have it; none if its name says who does.',
  }),
  may: Type.Array(Type.String(), {
    description: 'Permissions, by name or in words.',
  }),
  key: Type.Optional(
    Type.String({ description: 'The key of the configuration that sets it.' }),
  ),
});
export type Role = Static<typeof roleSchema>;

/** A token, key or secret, without its value. */
const tokenSchema = Type.Object({
  ...common,
  kind: Type.Unsafe<TokenKind>({ type: 'string', enum: [...TOKEN_KINDS] }),
  scopes: Type.Array(Type.String(), {
    description: 'What it is limited to; none if it is not limited.',
  }),
  createdAt: Instant,
  createdBy: Text,
  lastUsedAt: Type.Optional(
    maybe({
      format: 'date-time',
      description: 'Null if it was never used; absent if that is not recorded.',
    }),
  ),
  expiresAt: Instant,
});
export type Token = Static<typeof tokenSchema>;

/** A receiver of events of a part, or a sender of events to it. */
const webhookSchema = Type.Object({
  ...common,
  direction: Type.Unsafe<'incoming' | 'outgoing'>({
    type: 'string',
    enum: ['incoming', 'outgoing'],
  }),
  kind: Type.String({ description: 'In words: `Webhook`, `Slack`, `GitHub`.' }),
  host: maybe({
    description: 'The host of the receiver; null for incoming ones.',
  }),
  events: Type.Array(Type.String(), { description: '`*` stands for all.' }),
  signed: Type.Boolean(),
  paused: Type.Boolean(),
  lastAt: Type.Optional(
    maybe({
      format: 'date-time',
      description:
        'When something was last sent or received; null if never, absent if that is not recorded.',
    }),
  ),
  error: maybe({
    description: 'Why the last delivery failed; null if it did not.',
  }),
  failures: Type.Integer({
    minimum: 0,
    description: 'Failed attempts since the last success.',
  }),
  test: Type.Optional(
    Type.String({
      pattern: '^/',
      description:
        'A path of the part: POST sends a test event, and returns `delivered` and `error`.',
    }),
  ),
  redeliver: Type.Optional(
    Type.String({
      pattern: '^/',
      description:
        'A path of the part: POST sends what was not accepted once more, and returns how many `deliveries` these are.',
    }),
  ),
});
export type Webhook = Static<typeof webhookSchema>;

/** The response of `GET /api/v1/administration`. */
export const administrationSchema = Type.Object({
  roles: Type.Array(roleSchema),
  tokens: Type.Array(tokenSchema),
  webhooks: Type.Array(webhookSchema),
});
export type Administration = Static<typeof administrationSchema>;

/** Describes a token in the configuration, of which nothing but the purpose is known. */
export function configuredToken(
  token: Pick<Token, 'id' | 'name' | 'kind'> & { scopes?: readonly string[] },
): Token {
  return {
    ...token,
    scopes: [...(token.scopes ?? [])],
    configured: true,
    createdAt: null,
    createdBy: null,
    expiresAt: null,
  };
}

/** Describes an incoming webhook; by default a signed one from the configuration. */
export function incomingWebhook(
  webhook: Pick<Webhook, 'id' | 'name' | 'kind'> & Partial<Webhook>,
): Webhook {
  return {
    direction: 'incoming',
    host: null,
    events: ['*'],
    configured: true,
    signed: true,
    paused: false,
    error: null,
    failures: 0,
    ...webhook,
  };
}
