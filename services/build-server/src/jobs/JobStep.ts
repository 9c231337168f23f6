import { type Static, Type } from 'typebox';

/** Pattern of the names of shell variables. */
const VARIABLE = '^[A-Za-z_][A-Za-z0-9_]*$';
const Variable = Type.String({
  pattern: VARIABLE,
  patternDescription:
    'must contain only letters, digits and _, and not start with a digit',
  maxLength: 100,
});

export const closed = { additionalProperties: false };
export const Environment = Type.Record(
  Type.String({ pattern: VARIABLE }),
  Type.String({ maxLength: 32_768 }),
  closed,
);
export const Seconds = Type.Integer({ minimum: 1, maximum: 86_400 });

/** A value given with the trigger of a build; it reaches steps only as a variable. */
export const JobParameterSchema = Type.Object(
  {
    name: Variable,
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
    type: Type.Optional(
      Type.Unsafe<'string' | 'text' | 'number' | 'boolean' | 'choice'>(
        Type.String({
          enum: ['string', 'text', 'number', 'boolean', 'choice'],
        }),
      ),
    ),
    /** The values of a choice; the first is the default if none is given. */
    choices: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
    ),
    default: Type.Optional(Type.String({ maxLength: 32_768 })),
    /** The bounds of a number. */
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    required: Type.Optional(Type.Boolean()),
    /** Dotted path into the payload of a webhook, e.g. `repository.name`. */
    payload: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export type JobParameter = Static<typeof JobParameterSchema>;

/** A person's decision that a build waits for. */
export const ApprovalSchema = Type.Object(
  {
    /** The question, e.g. `Deploy to production?` */
    message: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    /** Entity references of the users and groups who may decide; by default those who may trigger the job. */
    by: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^(?:user|group):[^/]+/[^/]+$',
          patternDescription:
            'must be a user or group, e.g. group:default/payments',
        }),
        { minItems: 1, maxItems: 20 },
      ),
    ),
    /** True if the person who triggered the build may not approve it. */
    notByTrigger: Type.Optional(Type.Boolean()),
    /** Values entered by the approver; variables of later steps. */
    inputs: Type.Optional(
      Type.Array(JobParameterSchema, { minItems: 1, maxItems: 20 }),
    ),
  },
  closed,
);
export type Approval = Static<typeof ApprovalSchema>;

/** One script of a build, or a decision that it waits for. */
export const JobStepSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    /** Run by `sh -e` in the work directory. */
    run: Type.Optional(Type.String({ minLength: 1 })),
    /** Waits for a person instead of running anything. */
    approval: Type.Optional(ApprovalSchema),
    environment: Type.Optional(Environment),
    /** Variables, each with the name of its secret. */
    secrets: Type.Optional(
      Type.Record(Type.String({ pattern: VARIABLE }), Type.String(), closed),
    ),
    /** Names of the steps it depends on; by default the previous one in the file. */
    needs: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, uniqueItems: true }),
    ),
    /** A condition on the build; the step is skipped if it is not met. */
    if: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    /** True to run it even if an earlier step failed. */
    always: Type.Optional(Type.Boolean()),
    /** Variables, each with its values: the step runs once for every combination. */
    matrix: Type.Optional(
      Type.Record(
        Type.String({ pattern: VARIABLE }),
        Type.Array(Type.String({ maxLength: 200 }), {
          minItems: 1,
          maxItems: 100,
        }),
        closed,
      ),
    ),
    /** Combinations of the matrix to leave out. */
    exclude: Type.Optional(
      Type.Array(
        Type.Record(Type.String({ pattern: VARIABLE }), Type.String(), closed),
        { maxItems: 100 },
      ),
    ),
    /** Combinations in addition to those of the matrix, also with other variables. */
    include: Type.Optional(
      Type.Array(
        Type.Record(
          Type.String({ pattern: VARIABLE }),
          Type.String({ maxLength: 200 }),
          { ...closed, minProperties: 1 },
        ),
        { minItems: 1, maxItems: 100 },
      ),
    ),
    /** Folder of the checkout to run in. */
    workingDirectory: Type.Optional(
      Type.String({
        pattern: '^(?!/)(?!(?:.*/)?\\.\\.(?:/|$)).+$',
        patternDescription: 'must be a folder within the checkout',
        maxLength: 1_000,
      }),
    ),
    /** Retries it on failure. */
    retry: Type.Optional(
      Type.Object(
        {
          /** The number of attempts after the first one. */
          times: Type.Integer({ minimum: 1, maximum: 10 }),
          /** Exit codes to retry; all by default. */
          exitCodes: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: 255 }), {
              minItems: 1,
            }),
          ),
        },
        closed,
      ),
    ),
    /** `none` for no network access. */
    network: Type.Optional(Type.Literal('none')),
    timeoutSeconds: Type.Optional(Seconds),
    /** A failure makes the build unstable instead of failed. */
    allowFailure: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type JobStep = Static<typeof JobStepSchema>;
