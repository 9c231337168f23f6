import { Type } from 'typebox';

const open = { additionalProperties: true };

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
          'Runs the failed steps again, with those that they need and those that need them.',
      }),
    ),
  ),
});

export const QueueAnswer = Type.Object({
  location: Type.String({ description: 'Address of the queue item.' }),
});

export const JobParams = Type.Object({
  job: Type.String({ maxLength: 400 }),
});
