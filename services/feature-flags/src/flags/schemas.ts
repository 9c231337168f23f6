import { Type } from 'typebox';

/** What every flag name is made of: it stands in paths as it is. */
const URL_FRIENDLY = '^(?!(?:\\.{1,2}|__proto__)$)[A-Za-z0-9_.~-]+$';

const urlFriendly = {
  pattern: URL_FRIENDLY,
  patternDescription:
    'must be URL friendly: letters, digits and . _ ~ - alone, and none of . .. and __proto__',
};

const Name = Type.String({ minLength: 1, maxLength: 100, ...urlFriendly });

/** Targeting that is not understood is refused: left out, it would widen who gets a flag. */
const understood = { additionalProperties: false } as const;

const Constraint = Type.Object(
  {
    contextName: Type.String({ minLength: 1, maxLength: 100 }),
    operator: Type.String({ minLength: 1, maxLength: 64 }),
    values: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 1_000 }),
    ),
    value: Type.Optional(Type.String({ maxLength: 1_000 })),
    inverted: Type.Optional(Type.Boolean()),
    caseInsensitive: Type.Optional(Type.Boolean()),
  },
  understood,
);

const Strategy = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    parameters: Type.Record(Type.String(), Type.String({ maxLength: 10_000 }), {
      default: {},
      maxProperties: 50,
      description: 'Texts, numbers too: {"percentage": "25"}.',
    }),
    constraints: Type.Optional(Type.Array(Constraint, { maxItems: 50 })),
  },
  understood,
);

const Variant = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    weight: Type.Integer({ minimum: 0, maximum: 1_000 }),
  },
  { additionalProperties: true },
);

const settings = {
  description: Type.String({ maxLength: 10_000 }),
  type: Type.String({
    minLength: 1,
    maxLength: 64,
    ...urlFriendly,
    description: 'release, experiment, operational, kill-switch, permission …',
  }),
  enabled: Type.Boolean(),
  stale: Type.Boolean(),
  impressionData: Type.Boolean(),
  strategies: Type.Array(Strategy, { maxItems: 50 }),
  variants: Type.Array(Variant, { maxItems: 100 }),
};

/** Body of `POST /api/admin/features`. */
export const FlagCreation = Type.Object({
  name: Name,
  project: Type.String({ ...Name, default: 'default' }),
  description: Type.String({ ...settings.description, default: '' }),
  type: Type.String({ ...settings.type, default: 'release' }),
  enabled: Type.Boolean({ default: false }),
  stale: Type.Boolean({ default: false }),
  impressionData: Type.Boolean({ default: false }),
  strategies: Type.Array(Strategy, {
    maxItems: 50,
    default: [{ name: 'default', parameters: {} }],
  }),
  variants: Type.Array(Variant, { maxItems: 100, default: [] }),
});

/** Body of `PATCH /api/admin/features/{name}`: what is left out stays. */
export const FlagUpdate = Type.Partial(Type.Object(settings));

/** One flag as answered. */
export const FlagAnswer = Type.Object({
  name: Type.String(),
  project: Type.String(),
  ...settings,
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  archived: Type.Boolean(),
  problems: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
      description: 'Rules that SDKs cannot evaluate as they were meant.',
    }),
  ),
});

export const FlagList = Type.Object({
  version: Type.Integer(),
  features: Type.Array(FlagAnswer),
});

export const FlagListQuery = Type.Object({
  archived: Type.Boolean({
    default: false,
    description: 'The archived flags instead of those in use.',
  }),
});

/** The path of one flag; a name that no flag can have is one that is not found. */
export const FlagPath = Type.Object({ featureName: Type.String() });
