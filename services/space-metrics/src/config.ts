import {
  type CommonConfig,
  CredentialConfig,
  type ServiceKit,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';

const Secret = Type.Optional(Type.String({ minLength: 1 }));
/** Null takes back what another file of the configuration gives. */
const RemovableSecret = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1 }),
);

/** What the section `spaceMetrics` holds beside the keys that all services have. */
export const spaceMetricsConfig = Type.Object({
  auth: Type.Object(
    {
      apiKeys: Type.Array(CredentialConfig, { default: [] }),
      /** Says whether reading needs a key or a session; required in production when left out. */
      reads: Type.Optional(
        Type.Unsafe<'open' | 'required'>(
          Type.String({ enum: ['open', 'required'] }),
        ),
      ),
    },
    { default: {}, additionalProperties: false },
  ),
  /** IANA name of the zone in which days begin. */
  timeZone: Type.String({ default: 'UTC' }),
  privacy: Type.Object(
    {
      /** Key of the hashes that stand for people. Whoever changes it forgets everybody. */
      hashKey: Type.String({ minLength: 8 }),
      /** Numbers about fewer people are not shown; 5 in production when left out, else 1. */
      minimumGroupSize: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000 }),
      ),
      /** After so many days records and numbers are deleted. */
      retentionDays: Type.Integer({ minimum: 31, default: 1_096 }),
    },
    { additionalProperties: false },
  ),
  pulse: Type.Object(
    {
      /** Days from one pulse survey to the next. */
      cadenceDays: Type.Integer({ minimum: 1, maximum: 366, default: 14 }),
      /** Says whether the portal notifies who is due; true with a portalToken when left out. */
      notify: Type.Optional(Type.Boolean()),
      /** How often to look for people who are due. */
      notifyEveryMinutes: Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: 15,
      }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** To ask the portal for people and deliveries, and to notify its users. */
  portalToken: Secret,
  deliveryLake: Type.Object(
    { cacheSeconds: Type.Integer({ minimum: 0, default: 60 }) },
    { default: {}, additionalProperties: false },
  ),
  catalog: Type.Object(
    { cacheSeconds: Type.Integer({ minimum: 0, default: 300 }) },
    { default: {}, additionalProperties: false },
  ),
  /** Secrets of the webhooks of forges; one without a secret is refused. */
  forges: Type.Object(
    {
      github: RemovableSecret,
      gitlab: RemovableSecret,
      gitea: RemovableSecret,
      forgejo: RemovableSecret,
      /** Logins and addresses that are machines', beside the usual ones. */
      bots: Type.Array(Type.String(), { default: [] }),
    },
    { default: {}, additionalProperties: false },
  ),
  exposition: Type.Object(
    {
      /** How old gauges of /metrics may be. */
      everySeconds: Type.Integer({ minimum: 0, default: 5 }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** An answer serves those who ask the same for so many seconds; a write ends it. */
  cacheSeconds: Type.Number({ minimum: 0, default: 2 }),
});
type SpaceMetricsConfig = Static<typeof spaceMetricsConfig>;

/** What service-kit hands to this service. */
export type Kit = ServiceKit<SpaceMetricsConfig & CommonConfig>;
