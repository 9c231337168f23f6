import {
  type CommonConfig,
  CredentialConfig,
  type ServiceKit,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';

const Secret = Type.String({ minLength: 1 });

/** The `feedback` section of the configuration, in addition to the keys of all services. */
export const feedbackConfig = Type.Object({
  /**
   * The categories of feedback; any other is rejected with 400. The last one is for everything
   * else.
   */
  categories: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    uniqueItems: true,
    default: ['UI/UX', 'Performance', 'Documentation', 'CI/CD', 'Other'],
  }),
  /** Groups of the catalog whose members may triage. */
  admins: Type.Array(Type.String({ minLength: 1 }), {
    default: ['group:default/platform-admins'],
  }),
  auth: Type.Object(
    {
      /** Keys that may run the automation and talk to the bot over HTTP. */
      apiKeys: Type.Array(CredentialConfig, { default: [] }),
      /** `required`: reads require a session; the default in production. `open`: they do not. */
      reads: Type.Optional(Type.String({ enum: ['open', 'required'] })),
    },
    { default: {}, additionalProperties: false },
  ),
  /** The address at which browsers reach the service, with which the addresses of issues begin. */
  publicUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
  /**
   * Token for notifying senders through the portal, and for reading their names from its catalog.
   */
  portalToken: Type.Optional(Secret),
  /** The tracker in which validated feedback becomes issues. */
  tracker: Type.Object(
    {
      kind: Type.Unsafe<'embedded' | 'github'>(
        Type.String({ enum: ['embedded', 'github'], default: 'embedded' }),
      ),
      github: Type.Optional(
        Type.Object({
          owner: Type.String({ minLength: 1 }),
          repository: Type.String({ minLength: 1 }),
          /** Must be allowed to write issues, including labels. */
          token: Secret,
          /** The API, for GitHub Enterprise e.g. `https://github.example.org/api/v3`. */
          baseUrl: Type.String({
            pattern: '^https?://',
            default: 'https://api.github.com',
          }),
          /** Added to every issue, and used to find them again. */
          label: Type.String({ minLength: 1, default: 'feedback' }),
        }),
      ),
      /** Interval in seconds at which closed issues are checked. */
      watchSeconds: Type.Number({ minimum: 0.05, default: 60 }),
    },
    { default: {}, additionalProperties: false },
  ),
  screenshots: Type.Object(
    {
      /** Maximum bytes of all screenshots; a screenshot that would exceed it is not stored. */
      quotaBytes: Type.Integer({ minimum: 1, default: 1024 ** 3 }),
      /** Days after which screenshots of resolved or archived feedback are deleted; never by default. */
      keepClosedDays: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { default: {}, additionalProperties: false },
  ),
  bot: Type.Object(
    {
      /** Slack's Events API, at `/slack/events`. */
      slack: Type.Optional(
        Type.Object({
          token: Secret,
          signingSecret: Secret,
          /** The API of a fake for tests; defaults to Slack's. */
          apiUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
        }),
      ),
      mattermost: Type.Optional(
        Type.Object({
          url: Type.String({ pattern: '^https?://' }),
          token: Secret,
        }),
      ),
    },
    { default: {}, additionalProperties: false },
  ),
});
type FeedbackConfig = Static<typeof feedbackConfig>;

/** The service kit with the configuration of this service. */
export type FeedbackKit = ServiceKit<FeedbackConfig & CommonConfig>;
