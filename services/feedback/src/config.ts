import {
  type CommonConfig,
  CredentialConfig,
  type ServiceKit,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';

const Secret = Type.String({ minLength: 1 });

/** The section `feedback` of the configuration, beside what all services have. */
export const feedbackConfig = Type.Object({
  /** What feedback can be about; anything else is 400. The last one takes what fits nowhere. */
  categories: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    uniqueItems: true,
    default: ['UI/UX', 'Performance', 'Documentation', 'CI/CD', 'Other'],
  }),
  /** Groups of the catalog whose members triage. */
  admins: Type.Array(Type.String({ minLength: 1 }), {
    default: ['group:default/platform-admins'],
  }),
  auth: Type.Object(
    {
      /** Keys that may run the automation and speak to the bot over HTTP. */
      apiKeys: Type.Array(CredentialConfig, { default: [] }),
      /** `required`: reads need a session, the default of production. `open`: they need none. */
      reads: Type.Optional(Type.String({ enum: ['open', 'required'] })),
    },
    { default: {}, additionalProperties: false },
  ),
  /** The address at which browsers reach the service; addresses of issues begin with it. */
  publicUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** To tell senders through the portal, and to learn their names from its catalog. */
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
          /** May write issues, labels included. */
          token: Secret,
          /** The API, for GitHub Enterprise e.g. `https://github.example.org/api/v3`. */
          baseUrl: Type.String({
            pattern: '^https?://',
            default: 'https://api.github.com',
          }),
          /** On every issue; they are found again by it. */
          label: Type.String({ minLength: 1, default: 'feedback' }),
        }),
      ),
      /** How often closed issues are asked for, in seconds. */
      watchSeconds: Type.Number({ minimum: 0.05, default: 60 }),
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
          /** The API of a stand-in for tests; Slack's when left out. */
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

/** What the service kit gives to this service. */
export type FeedbackKit = ServiceKit<FeedbackConfig & CommonConfig>;
