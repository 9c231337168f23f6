import { Type } from 'typebox';

/** Query of the webhook. */
export const WebhookQuery = Type.Object({
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description:
        'Required unless it is sent as `X-Gitlab-Token`, `token` or bearer token.',
    }),
  ),
});

const open = { additionalProperties: true };

/** The payload of a forge. Any object is accepted, and each of these fields is used if it is valid. */
export const TriggerPayload = {
  content: {
    'application/json': {
      schema: Type.Object(
        {
          repository: Type.Optional(
            Type.Unknown({ description: '`{name, url, clone_url}`' }),
          ),
          ref: Type.Optional(
            Type.Unknown({ description: 'e.g. `refs/heads/main`' }),
          ),
          before: Type.Optional(Type.Unknown({ description: 'A commit.' })),
          after: Type.Optional(
            Type.Unknown({ description: 'The commit to build.' }),
          ),
          commits: Type.Optional(
            Type.Unknown({
              description: '`[{id, message, author: {name, email}}]`',
            }),
          ),
        },
        open,
      ),
    },
  },
};

const Parameter = Type.Object({
  name: Type.String(),
  value: Type.Unsafe<string | number | boolean>({
    type: ['string', 'number', 'boolean'],
  }),
});

/** Parameters of a direct trigger. */
export const ParametersBody = {
  content: {
    'application/json': {
      schema: Type.Object(
        {
          parameter: Type.Optional(
            Type.Union([Type.Array(Parameter), Parameter]),
          ),
        },
        open,
      ),
    },
    'multipart/form-data': {
      schema: Type.Object({}, { ...open, description: 'Names and values.' }),
    },
    'application/x-www-form-urlencoded': {
      schema: Type.Object({}, { ...open, description: 'Names and values.' }),
    },
  },
};

const Outcome = {
  triggered: Type.Boolean(),
  url: Type.String({ description: 'Address of the queue item.' }),
  buildNumber: Type.Integer({ description: 'Number that the build will get.' }),
  reason: Type.Optional(
    Type.String({ description: 'Why it was not triggered.' }),
  ),
};

/** The result of a webhook, by job. */
export const TriggerAnswer = Type.Object({
  jobs: Type.Record(
    Type.String(),
    Type.Object({
      ...Outcome,
      further: Type.Optional(
        Type.Array(Type.Object(Outcome), {
          description: 'Of the other refs that the delivery tells of.',
        }),
      ),
    }),
  ),
});

/** Query of a direct trigger; further fields are parameters, as some clients send them. */
export const TriggerQuery = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 1_000 })),
  delay: Type.Optional(
    Type.String({
      maxLength: 32,
      description: 'Whole seconds, e.g. `5` or `5sec`.',
    }),
  ),
});

/** Query of a rebuild; further fields are parameters. */
export const RebuildQuery = Type.Object({
  only: Type.Optional(
    Type.Unsafe<'failed'>(
      Type.String({
        enum: ['failed'],
        description:
          'Runs the steps again that failed, with those that they need and those that need them.',
      }),
    ),
  ),
});

export const QueueAnswer = Type.Object({
  location: Type.String({ description: 'Address of the queue item.' }),
});

export const JobParams = Type.Object({
  job: Type.String({ maxLength: 200 }),
});
