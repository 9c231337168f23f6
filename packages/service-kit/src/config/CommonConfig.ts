import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { ACTOR_START } from '../auth/Access.ts';
import { DatabaseConfig } from '../database/openDatabase.ts';

/**
 * The name of a key or token. It must not look like the name of a user; see {@link looksLikeActor}.
 */
export const CredentialName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: `^(?!${ACTOR_START})[^]*\\S`,
  patternDescription:
    'must not be blank or look like an actor, such as user:default/ada',
});

/** A key or token that callers may use. */
export const CredentialConfig = Type.Object({
  /** The name of its holder. It appears in logs and is not secret. */
  name: CredentialName,
  /** The credential as it is sent. Set either this or `sha256`. */
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
  /** SHA-256 of the credential in hex, which keeps the secret out of the configuration. */
  sha256: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  /** The scopes it grants, in services that use scopes; see `auth.scoped`. */
  scopes: Type.Optional(Type.Array(Type.String())),
});
export type CredentialConfig = Static<typeof CredentialConfig>;

const WebhookConfig = Type.Object({
  /** At most as long as a lane of the delivery queue. */
  id: Type.String({ minLength: 1, maxLength: 64 }),
  url: Type.String({ pattern: '^https?://' }),
  secret: Type.String({ minLength: 1 }),
  events: Type.Array(Type.String(), { default: ['*'] }),
});

/** The service-specific input of {@link commonConfig}. */
export interface CommonDefaults {
  name: string;
  port: number;
  perMinute: number;
  bodyLimit: number;
}

/** Creates the part of the configuration schema that all services share, with its defaults. */
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
       * Addresses and ranges of trusted reverse proxies. The caller's address is the last address
       * in `X-Forwarded-For` that is not one of them: anything before it could be forged.
       */
      trustProxy: Type.Unsafe<string[]>({ default: [] }),
    }),
    /** The addresses of the portal, read from `backend.baseUrl` and `app.baseUrl`. */
    portal: section({
      /** The address of its API, without `/api`. */
      baseUrl: Type.String({ default: 'http://localhost:7007' }),
      /** The address of its pages: the only origin that browsers may call from. */
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
      /** Requests per minute for each credential. */
      perMinute: Type.Integer({ minimum: 1, default: defaults.perMinute }),
      /**
       * Reads per minute and user from the portal's pages, which do not count against the user's
       * credential, since one click takes several requests. At least `perMinute`; defaults to 600.
       */
      pagesPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
      /**
       * Requests per minute for each address without a credential; defaults to `perMinute`. If set,
       * invalid credentials are counted even if `enabled` is false.
       */
      anonymousPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
      /** `redis` shares the limits across replicas. */
      store: Type.String({ enum: ['memory', 'redis'], default: 'memory' }),
      redis: Type.Optional(Type.String({ pattern: '^rediss?://' })),
    }),
    auth: section({
      apiKeys: Type.Array(CredentialConfig, { default: [] }),
    }),
    webhooks: Type.Array(WebhookConfig, { default: [] }),
    webhookDeliveries: section({
      /** Days that finished deliveries stay in the log. */
      retentionDays: Type.Integer({ minimum: 1, default: 30 }),
    }),
    egress: section({
      /**
       * Internal hosts that webhooks registered over HTTP may call: names, addresses, ranges such
       * as `10.0.0.0/8`.
       */
      allowedHosts: Type.Array(Type.String(), { default: [] }),
    }),
    limits: section({
      /** Maximum size of a request body in bytes. */
      body: Type.Integer({ minimum: 1, default: defaults.bodyLimit }),
      /** Maximum time to receive a request, in milliseconds. */
      requestTimeout: Type.Integer({ minimum: 100, default: 30_000 }),
      /** Maximum time to respond to a request, in milliseconds. */
      handlerTimeout: Type.Integer({ minimum: 100, default: 30_000 }),
      /** Maximum time for accepted requests to finish when the service stops, in milliseconds. */
      shutdownTimeout: Type.Integer({ minimum: 0, default: 10_000 }),
      /** Event loop delay above which requests are rejected, in milliseconds. */
      eventLoopDelay: Type.Integer({ minimum: 10, default: 1_000 }),
    }),
    logging: section({
      level: Type.String({
        enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        default: 'info',
      }),
      /** `text` for people, `json` for log collectors; defaults to json in production. */
      format: Type.Optional(Type.String({ enum: ['text', 'json'] })),
    }),
    tracing: section({
      enabled: Type.Boolean({ default: false }),
      /** Address for OTLP over HTTP, e.g. `http://collector:4318/v1/traces`. */
      endpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
    }),
  });
}

/** The configuration that every service has. */
export type CommonConfig = Static<ReturnType<typeof commonConfig>>;

/** Creates the schema of a section that is optional, because all its members have defaults. */
export function section<P extends Record<string, TSchema>>(
  properties: P,
): TObject<P> {
  return Type.Object(properties, { default: {}, additionalProperties: false });
}
