import { CredentialConfig } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { ZONES } from './query/time/zones.ts';
import { TOKEN_SCOPES, type TokenScope } from './projects/Credential.ts';
import { destinationConfig } from './destinations/destinationConfig.ts';

/** A token with which programs read a project, and its scopes; all reading scopes if omitted. */
const apiTokenConfig = Type.Object({
  ...CredentialConfig.properties,
  scopes: Type.Optional(
    Type.Array(
      Type.Unsafe<TokenScope>(Type.String({ enum: [...TOKEN_SCOPES] })),
      { minItems: 1 },
    ),
  ),
});

/** A project and its credentials, as configured. */
const projectConfig = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    /** The keys with which products send events. */
    keys: Type.Array(CredentialConfig, { default: [] }),
    /** The tokens with which programs run queries. */
    apiTokens: Type.Array(apiTokenConfig, { default: [] }),
    /** Groups that may read it, in addition to `admins`; every signed-in user if omitted. */
    readers: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Origins whose pages may send events; any origin if omitted. */
    origins: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Results count people, but never reveal who did something. */
    hidesPeople: Type.Boolean({ default: false }),
    /** The time zone in which its days begin, such as Europe/Zurich. */
    timeZone: Type.Unsafe<string>(
      Type.String({
        enum: [...ZONES],
        default: 'UTC',
      }),
    ),
    /** Events that happened more days ago are deleted; default: `events.retentionDays`. */
    retentionDays: Type.Optional(Type.Integer({ minimum: 1 })),
    /** The destinations of its events. */
    destinations: Type.Array(destinationConfig, { default: [] }),
    weekStart: Type.Unsafe<'sunday' | 'monday'>(
      Type.String({ enum: ['sunday', 'monday'], default: 'sunday' }),
    ),
  },
  { additionalProperties: false },
);
export type ProjectConfig = Static<typeof projectConfig>;

/** A ClickHouse server or cluster. */
const clickhouseConfig = Type.Object(
  {
    url: Type.String({ pattern: '^https?://' }),
    username: Type.String({ default: 'default' }),
    password: Type.String({ default: '' }),
    /** The cluster on which tables are created; a single server if omitted. */
    cluster: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]+$' })),
    /** Replicates tables on several machines; requires `cluster`, and Keeper on the server. */
    replicated: Type.Boolean({ default: false }),
    /** Distributes events over the shards of `cluster`. */
    distributed: Type.Boolean({ default: false }),
    /** Removes duplicates by uuid from results immediately, even if several services stored them. */
    final: Type.Boolean({ default: true }),
  },
  { additionalProperties: false },
);

/** The keys of the section `analytics`, in addition to those that all services share. */
export const analyticsConfig = Type.Object({
  projects: Type.Array(projectConfig, { default: [] }),
  /** Groups of the portal whose members create projects and keys, and read every project. */
  admins: Type.Array(Type.String(), {
    default: ['group:default/platform-admins'],
  }),
  /** Encrypts the secrets of destinations that admins create; generated in development. */
  secretsKey: Type.Optional(Type.String({ minLength: 32 })),
  /** Token for the portal's catalog, which maps entities to products. */
  portalToken: Type.Optional(Type.String({ minLength: 1 })),
  capture: Type.Object(
    {
      /** Limit of events per project and minute. */
      eventsPerMinute: Type.Integer({ minimum: 1, default: 1_000 }),
      /** Maximum SDK events per project that are queued on disk when they exceed that limit. */
      deferredEvents: Type.Integer({ minimum: 0, default: 100_000 }),
      deferredMegabytes: Type.Integer({ minimum: 0, default: 256 }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** The feature-flag service whose flags SDKs receive; no flags if omitted. */
  flags: Type.Optional(
    Type.Object(
      {
        /** Address of the service, without a path. */
        url: Type.String({ pattern: '^https?://' }),
        /** A client token of the environment. */
        token: Type.String({ minLength: 1 }),
      },
      { additionalProperties: false },
    ),
  ),
  events: Type.Object(
    {
      /** Relative to the repository root. */
      directory: Type.String({ minLength: 1, default: '.data/analytics' }),
      /** `auto`: ClickHouse if configured, else chDB if it runs on this machine, else SQLite. */
      engine: Type.Unsafe<'auto' | 'chdb' | 'clickhouse' | 'sqlite'>(
        Type.String({
          enum: ['auto', 'chdb', 'clickhouse', 'sqlite'],
          default: 'auto',
        }),
      ),
      clickhouse: Type.Optional(clickhouseConfig),
      /** Installs chDB at startup if it is missing. */
      install: Type.Boolean({ default: false }),
      /** Seconds without a query after which the engine is stopped, to free its memory. */
      idleSeconds: Type.Number({ minimum: 1, default: 60 }),
      /** Timeout of one query, in seconds. */
      querySeconds: Type.Number({ minimum: 1, maximum: 25, default: 20 }),
      threads: Type.Integer({ minimum: 1, default: 2 }),
      /** Number of pending events from which they are moved into chDB, even without a query. */
      moveFrom: Type.Integer({ minimum: 1, default: 5_000 }),
      /** Seconds between two counts of the events and properties that arrived. */
      countSeconds: Type.Number({ minimum: 0.1, default: 5 }),
      /** Memory limit of the engine; one query may use half of it. */
      memoryMegabytes: Type.Integer({ minimum: 256, default: 1_024 }),
      /** Days for which repeated events are recognised. */
      rememberUuidDays: Type.Integer({ minimum: 1, default: 30 }),
      /** Maximum number of remembered uuids; about 60 bytes each on disk. */
      rememberUuids: Type.Integer({ minimum: 1_000, default: 50_000_000 }),
      /** Online backups; none if omitted. */
      backups: Type.Optional(
        Type.Object(
          {
            /** Relative to the repository root. */
            directory: Type.String({ minLength: 1 }),
            /** Tokens of scripts that make backups; admins may make them too. */
            tokens: Type.Array(CredentialConfig, { default: [] }),
          },
          { additionalProperties: false },
        ),
      ),
      /** Events that happened more days ago are deleted; if omitted, none are. */
      retentionDays: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { default: {}, additionalProperties: false },
  ),
});
export type AnalyticsConfig = Static<typeof analyticsConfig>;
