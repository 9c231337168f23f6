import { CredentialConfig } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';

/** A project and its credentials, as the configuration gives them. */
const projectConfig = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    /** The keys that products send events with. */
    keys: Type.Array(CredentialConfig, { default: [] }),
    /** The tokens that programs ask questions with. */
    apiTokens: Type.Array(CredentialConfig, { default: [] }),
    /** Groups that read it, beside `admins`; everybody who is signed in when left out. */
    readers: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Origins whose pages may send events; pages of any when left out. */
    origins: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Answers count people, and never tell who did something. */
    hidesPeople: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
);
export type ProjectConfig = Static<typeof projectConfig>;

/** What the section `analytics` holds beside the keys that all services have. */
export const analyticsConfig = Type.Object({
  projects: Type.Array(projectConfig, { default: [] }),
  /** Groups of the portal whose members make projects and keys, and read every project. */
  admins: Type.Array(Type.String(), {
    default: ['group:default/platform-admins'],
  }),
  /** To read the catalog of the portal: which product an entity has. */
  portalToken: Type.Optional(Type.String({ minLength: 1 })),
  capture: Type.Object(
    {
      /** Events of one project in a minute. */
      eventsPerMinute: Type.Integer({ minimum: 1, default: 1_000 }),
      /** Events of one project that SDKs sent beyond that, and that wait on disk. */
      deferredEvents: Type.Integer({ minimum: 0, default: 100_000 }),
      deferredMegabytes: Type.Integer({ minimum: 0, default: 256 }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** The feature-flag service that SDKs get their flags of; no flags when left out. */
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
      /** Relative to the repository. */
      directory: Type.String({ minLength: 1, default: '.data/analytics' }),
      /** `auto`: chDB where it runs, else SQLite. */
      engine: Type.Unsafe<'auto' | 'chdb' | 'sqlite'>(
        Type.String({ enum: ['auto', 'chdb', 'sqlite'], default: 'auto' }),
      ),
      /** Installs chDB at the start where it is missing. */
      install: Type.Boolean({ default: false }),
      /** After so long without a question the engine ends, and its memory is free. */
      idleSeconds: Type.Number({ minimum: 1, default: 60 }),
      /** Seconds that one question may take. */
      querySeconds: Type.Number({ minimum: 1, maximum: 25, default: 20 }),
      threads: Type.Integer({ minimum: 1, default: 2 }),
      /** Memory of the engine; one question may take half. */
      memoryMegabytes: Type.Integer({ minimum: 256, default: 1_024 }),
      /** Days for which an event that is sent again is recognised. */
      rememberUuidDays: Type.Integer({ minimum: 1, default: 30 }),
      /** Events that happened longer ago are deleted; when left out, none ever are. */
      retentionDays: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { default: {}, additionalProperties: false },
  ),
});
export type AnalyticsConfig = Static<typeof analyticsConfig>;
