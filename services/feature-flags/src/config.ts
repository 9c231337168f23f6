import { CredentialName } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { TOKEN_TYPES, type TokenType } from './model/ApiToken.ts';

const configuredToken = Type.Object(
  {
    /** The name of its holder, who is the author of what is done with it. */
    name: CredentialName,
    type: Type.Unsafe<TokenType>(Type.String({ enum: [...TOKEN_TYPES] })),
    /** The whole token: `project:environment.secret`, `*:*.secret` for an admin. */
    token: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
);
export type ConfiguredToken = Static<typeof configuredToken>;

/** A flag that is created, once, where there is none of that name. */
const ConfiguredFlag = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ default: '' }),
    type: Type.String({ default: 'release' }),
    enabled: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
);

/** What the section `featureFlags` holds beside the keys that all services have. */
export const featureFlagsConfig = Type.Object({
  /** The environment that `/api/admin/features` and tokens that name none are of. */
  environment: Type.String({
    pattern: '^[A-Za-z0-9_~-]{1,100}$',
    default: 'development',
  }),
  /** The address at which applications reach the service; `http://localhost:<port>` when left out. */
  publicUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Tokens beside those made in the portal, e.g. the first admin's. */
  tokens: Type.Array(configuredToken, { default: [] }),
  /** Flags to start with. */
  flags: Type.Array(ConfiguredFlag, { default: [] }),
  /** Groups of the portal whose members may change flags. */
  admins: Type.Array(Type.String({ minLength: 1 }), {
    default: ['group:default/platform-admins'],
  }),
  /** To read the catalog of the portal: whose flags are whose. */
  portalToken: Type.Optional(Type.String({ minLength: 1 })),
  usage: Type.Object(
    {
      /** After so many days hours of usage are deleted, and applications that are not seen. */
      retentionDays: Type.Integer({ minimum: 1, maximum: 3_660, default: 90 }),
    },
    { default: {}, additionalProperties: false },
  ),
  streams: Type.Object(
    {
      /** How many SDKs may listen to one process; others poll. */
      most: Type.Integer({ minimum: 0, maximum: 100_000, default: 5_000 }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** How often to look for what other replicas changed. */
  pollMs: Type.Integer({ minimum: 50, maximum: 60_000, default: 1_000 }),
});
export type FeatureFlagsConfig = Static<typeof featureFlagsConfig>;
