import {
  type CommonConfig,
  CredentialConfig,
  type ServiceKit,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';

const Secret = Type.Optional(Type.String({ minLength: 1 }));
/** Null removes a secret that is set in another configuration file. */
const RemovableSecret = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1 }),
);

/** The `spaceMetrics` section of the configuration, in addition to the keys of all services. */
export const spaceMetricsConfig = Type.Object({
  auth: Type.Object(
    {
      apiKeys: Type.Array(CredentialConfig, { default: [] }),
      /** Requires a key or a session for reading; on by default in production. */
      reads: Type.Optional(
        Type.Unsafe<'open' | 'required'>(
          Type.String({ enum: ['open', 'required'] }),
        ),
      ),
    },
    { default: {}, additionalProperties: false },
  ),
  /** Groups in the portal whose members may read the audit log. */
  admins: Type.Array(Type.String({ minLength: 1 }), {
    default: ['group:default/platform-admins'],
  }),
  /** IANA name of the time zone in which days start. */
  timeZone: Type.String({ default: 'UTC' }),
  privacy: Type.Object(
    {
      /**
       * Key of the hashes that represent people. Changing it disconnects all stored data from
       * people.
       */
      hashKey: Type.String({ minLength: 8 }),
      /** Numbers about fewer people are hidden; defaults to 5 in production, otherwise 1. */
      minimumGroupSize: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000 }),
      ),
      /** Records and numbers are deleted after this many days. */
      retentionDays: Type.Integer({ minimum: 31, default: 1_096 }),
    },
    { additionalProperties: false },
  ),
  pulse: Type.Object(
    {
      /** Days from one pulse survey to the next. */
      cadenceDays: Type.Integer({ minimum: 1, maximum: 366, default: 14 }),
      /**
       * Notifies people in the portal when their survey is due. Default: true if there is a
       * portalToken.
       */
      notify: Type.Optional(Type.Boolean()),
      /** Interval at which due surveys are determined, in minutes. */
      notifyEveryMinutes: Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: 15,
      }),
    },
    { default: {}, additionalProperties: false },
  ),
  /** Token for reading people and deliveries from the portal, and for notifying its users. */
  portalToken: Secret,
  deliveryLake: Type.Object(
    { cacheSeconds: Type.Integer({ minimum: 0, default: 60 }) },
    { default: {}, additionalProperties: false },
  ),
  catalog: Type.Object(
    { cacheSeconds: Type.Integer({ minimum: 0, default: 300 }) },
    { default: {}, additionalProperties: false },
  ),
  /** Webhook secrets of the forges; deliveries of a forge without a secret are rejected. */
  forges: Type.Object(
    {
      github: RemovableSecret,
      gitlab: RemovableSecret,
      gitea: RemovableSecret,
      forgejo: RemovableSecret,
      /** Logins and addresses of bots, in addition to the usual ones. */
      bots: Type.Array(Type.String(), { default: [] }),
    },
    { default: {}, additionalProperties: false },
  ),
  exposition: Type.Object(
    {
      /** Maximum age of gauges in /metrics, in seconds. */
      everySeconds: Type.Integer({ minimum: 0, default: 5 }),
    },
    { default: {}, additionalProperties: false },
  ),
  /**
   * Time for which a response is cached for identical requests, in seconds; a write invalidates
   * it.
   */
  cacheSeconds: Type.Number({ minimum: 0, default: 2 }),
});
type SpaceMetricsConfig = Static<typeof spaceMetricsConfig>;

/** The service kit with the configuration of this service. */
export type Kit = ServiceKit<SpaceMetricsConfig & CommonConfig>;
