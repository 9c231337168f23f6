import { CredentialName } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { TOKEN_TYPES, type TokenType } from './model/ApiToken.ts';

const configuredToken = Type.Object(
  {
    /** The name of its holder, recorded as the author of changes made with it. */
    name: CredentialName,
    type: Type.Unsafe<TokenType>(Type.String({ enum: [...TOKEN_TYPES] })),
    /** The whole token: `project:environment.secret`, `*:*.secret` for an admin. */
    token: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
);
export type ConfiguredToken = Static<typeof configuredToken>;

/** A flag that is created once, unless a flag of that name exists. */
const ConfiguredFlag = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ default: '' }),
    type: Type.String({ default: 'release' }),
    enabled: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
);

/** The keys of the section `featureFlags` in addition to those of every service. */
export const featureFlagsConfig = Type.Object({
  /** The environment of `/api/admin/features`, and the default environment of tokens. */
  environment: Type.String({
    pattern: '^[A-Za-z0-9_~-]{1,100}$',
    default: 'development',
  }),
  /** The URL at which applications reach the service; `http://localhost:<port>` by default. */
  publicUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Tokens in addition to those created in the portal, e.g. the first admin's. */
  tokens: Type.Array(configuredToken, { default: [] }),
  /** Flags to start with. */
  flags: Type.Array(ConfiguredFlag, { default: [] }),
  /** A YAML file of definitions that is applied at every start; relative to the repository. */
  definitions: Type.Optional(Type.String({ minLength: 1 })),
  /** Groups of the portal whose members may change flags. */
  admins: Type.Array(Type.String({ minLength: 1 }), {
    default: ['group:default/platform-admins'],
  }),
  /** Token for reading ownership from the portal's catalog. */
  portalToken: Type.Optional(Type.String({ minLength: 1 })),
  /** The feedback service, in whose tracker issues to remove flags are opened. */
  feedback: Type.Optional(
    Type.Object(
      {
        url: Type.String({ pattern: '^https?://' }),
        /** One of the feedback service's `auth.apiKeys`. */
        apiKey: Type.String({ minLength: 1 }),
      },
      { additionalProperties: false },
    ),
  ),
  /** The build server, or a Jenkins server, whose failed builds can pause a staged rollout. */
  builds: Type.Optional(
    Type.Object(
      {
        url: Type.String({ pattern: '^https?://' }),
        /** A user who may read jobs. */
        user: Type.String({ minLength: 1 }),
        key: Type.String({ minLength: 1 }),
      },
      { additionalProperties: false },
    ),
  ),
  usage: Type.Object(
    {
      /** Days after which hourly usage, and applications not seen since, are deleted. */
      retentionDays: Type.Integer({ minimum: 1, maximum: 3_660, default: 90 }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** The oldest version of each SDK that is not reported as outdated, by the SDK's name. */
  minimumSdks: Type.Record(
    Type.String(),
    Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    { default: {} },
  ),
  streams: Type.Object(
    {
      /** The maximum number of streaming SDKs per process; others poll. */
      most: Type.Integer({ minimum: 0, maximum: 100_000, default: 5_000 }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** Milliseconds between two checks for changes by other replicas and for due work. */
  pollMs: Type.Integer({ minimum: 50, maximum: 60_000, default: 1_000 }),
});
export type FeatureFlagsConfig = Static<typeof featureFlagsConfig>;
