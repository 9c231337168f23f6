import { Type } from 'typebox';

/** Query of the webhook. */
export const WebhookQuery = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1_000 }),
});

/** What a webhook set off, by job. */
export const TriggerAnswer = Type.Object({
  jobs: Type.Record(
    Type.String(),
    Type.Object({
      triggered: Type.Boolean(),
      url: Type.String({ description: 'Of the queue item.' }),
      buildNumber: Type.Integer({ description: 'That the build will have.' }),
      reason: Type.Optional(
        Type.String({ description: 'Why it was not triggered.' }),
      ),
    }),
  ),
});

/** Query of a direct trigger; further ones are parameters, as some clients send them. */
export const TriggerQuery = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 1_000 })),
  delay: Type.Optional(
    Type.String({
      maxLength: 32,
      description: 'Whole seconds, e.g. `5` or `5sec`.',
    }),
  ),
});

export const QueueAnswer = Type.Object({
  location: Type.String({ description: 'Of the queue item.' }),
});

export const JobParams = Type.Object({
  job: Type.String({ maxLength: 200 }),
});
