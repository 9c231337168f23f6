import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { ACTOR_START } from '../auth/Access.ts';
import { DatabaseConfig } from '../database/openDatabase.ts';

/**
 * The name of a key or token. It may not begin as the name of a user does: see
 * {@link looksLikeActor}.
 */
export const CredentialName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: `^(?!${ACTOR_START})[^]*\\S`,
  patternDescription:
    'must not be blank or look like an actor, such as user:default/ada',
});

/** One key or token that callers may use. */
export const CredentialConfig = Type.Object({
  /** The name of its holder; shows in logs, never secret. */
  name: CredentialName,
  /** The credential as it is sent. Give this or `sha256`. */
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
  /** Its SHA-256 in hex, so that the configuration holds no secret. */
  sha256: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  /** What it may do, where a service tells; see `auth.scoped`. */
  scopes: Type.Optional(Type.Array(Type.String())),
});
export type CredentialConfig = Static<typeof CredentialConfig>;

const WebhookConfig = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  url: Type.String({ pattern: '^https?://' }),
  secret: Type.String({ minLength: 1 }),
  events: Type.Array(Type.String(), { default: ['*'] }),
});

/** What {@link commonConfig} needs to know of a service. */
export interface CommonDefaults {
  name: string;
  port: number;
  perMinute: number;
  bodyLimit: number;
}

/** The part of the configuration that every service has, with its defaults. */
export function commonConfig(defaults: CommonDefaults) {
  return Type.Object({
    listen: section({
      host: Type.String({ default: '127.0.0.1' }),
      port: Type.Integer({
        minimum: 0,
        maximum: 65_535,
        default: defaults.port,
      }),
      /**
       * Addresses and ranges of reverse proxies. The caller's address is the last one of
       * `X-Forwarded-For` that is none of them: what a caller puts before it is not believed.
       */
      trustProxy: Type.Unsafe<string[]>({ default: [] }),
    }),
    /** The addresses of the portal; taken from `backend.baseUrl` and `app.baseUrl`. */
    portal: section({
      /** Its API, without `/api`. */
      baseUrl: Type.String({ default: 'http://localhost:7007' }),
      /** Its pages: the one origin that browsers may call from. */
      appUrl: Type.String({ default: 'http://localhost:3000' }),
    }),
    database: Type.Unsafe<DatabaseConfig>({
      ...DatabaseConfig,
      default: {
        client: 'better-sqlite3',
        connection: { filename: `.data/${defaults.name}/db.sqlite` },
      },
    }),
    rateLimit: section({
      enabled: Type.Boolean({ default: true }),
      /** Requests of one credential in a minute. */
      perMinute: Type.Integer({ minimum: 1, default: defaults.perMinute }),
      /**
       * Requests of one address without a credential; as `perMinute` when left out. Where
       * it is said, wrong credentials count although `enabled` is false.
       */
      anonymousPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
      /** `redis` makes the limits hold across replicas. */
      store: Type.String({ enum: ['memory', 'redis'], default: 'memory' }),
      redis: Type.Optional(Type.String({ pattern: '^rediss?://' })),
    }),
    auth: section({
      apiKeys: Type.Array(CredentialConfig, { default: [] }),
    }),
    webhooks: Type.Array(WebhookConfig, { default: [] }),
    webhookDeliveries: section({
      /** Days that the log keeps a delivery which has ended. */
      retentionDays: Type.Integer({ minimum: 1, default: 30 }),
    }),
    egress: section({
      /**
       * Of the own network, where webhooks may go that were registered over HTTP: names,
       * addresses, ranges such as `10.0.0.0/8`.
       */
      allowedHosts: Type.Array(Type.String(), { default: [] }),
    }),
    limits: section({
      /** Bytes of a request body. */
      body: Type.Integer({ minimum: 1, default: defaults.bodyLimit }),
      /** Milliseconds that a request may take to arrive. */
      requestTimeout: Type.Integer({ minimum: 100, default: 30_000 }),
      /** Milliseconds that its answer may take. */
      handlerTimeout: Type.Integer({ minimum: 100, default: 30_000 }),
      /** Milliseconds for what was accepted to finish when the service stops. */
      shutdownTimeout: Type.Integer({ minimum: 0, default: 10_000 }),
      /** Milliseconds of event loop delay over which requests are turned away. */
      eventLoopDelay: Type.Integer({ minimum: 10, default: 1_000 }),
    }),
    logging: section({
      level: Type.String({
        enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        default: 'info',
      }),
      /** `text` for eyes, `json` for collectors; json in production when left out. */
      format: Type.Optional(Type.String({ enum: ['text', 'json'] })),
    }),
    tracing: section({
      enabled: Type.Boolean({ default: false }),
      /** OTLP over HTTP, e.g. `http://collector:4318/v1/traces`. */
      endpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
    }),
  });
}

/** What every service finds in its configuration. */
export type CommonConfig = Static<ReturnType<typeof commonConfig>>;

/** An object whose members have defaults, and which may therefore be left out. */
function section<P extends Record<string, TSchema>>(properties: P): TObject<P> {
  return Type.Object(properties, { default: {}, additionalProperties: false });
}
