import { preconditionOf } from '@slipway/service-kit';
import { Type } from 'typebox';
import { FLAG_LIMITS } from './flagLimits.ts';

/** Also allows letters of every script and emoji, which are percent-encoded in paths. */
const URL_FRIENDLY =
  '^(?!(?:\\.{1,2}|__proto__)$)[\\p{L}\\p{M}\\p{N}\\p{Extended_Pictographic}_.~-]+$';
const urlFriendly = {
  pattern: URL_FRIENDLY,
  patternDescription:
    'must be URL friendly: letters, digits, emoji and . _ ~ - only, and not ., .. or __proto__',
};

/** The name of a flag or project. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  ...urlFriendly,
});

/** Rejects unknown fields: ignoring a targeting rule would turn a flag on for more people. */
const strict = { additionalProperties: false } as const;

export const Constraint = Type.Object(
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
  strict,
);

const Text = Type.String({ minLength: 1, maxLength: 100 });

const Variant = Type.Object(
  {
    name: Text,
    weight: Type.Integer({ minimum: 0, maximum: 1_000 }),
    weightType: Type.Optional(Type.String({ maxLength: 16 })),
    stickiness: Type.Optional(Text),
    payload: Type.Optional(
      Type.Object(
        {
          type: Text,
          value: Type.Optional(Type.String({ maxLength: 100_000 })),
        },
        { additionalProperties: true },
      ),
    ),
    overrides: Type.Optional(
      Type.Array(
        Type.Object(
          {
            contextName: Text,
            values: Type.Array(Type.String({ maxLength: 1_000 }), {
              maxItems: 1_000,
            }),
          },
          strict,
        ),
        { maxItems: 50 },
      ),
    ),
  },
  { additionalProperties: true },
);

export const Variants = Type.Array(Variant, { maxItems: 100 });

/** The fields of a strategy, without its id. */
export const strategyFields = {
  name: Text,
  title: Type.Optional(Type.String({ maxLength: 200 })),
  disabled: Type.Optional(Type.Boolean()),
  parameters: Type.Record(Type.String(), Type.String({ maxLength: 10_000 }), {
    default: {},
    maxProperties: 50,
    description: 'Strings, even for numbers: {"percentage": "25"}.',
  }),
  constraints: Type.Optional(Type.Array(Constraint, { maxItems: 50 })),
  segments: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
      maxItems: 50,
      description: 'Ids of segments.',
    }),
  ),
  variants: Type.Optional(Variants),
};

export const SortOrder = Type.Integer({
  minimum: -1_000_000,
  maximum: 1_000_000,
});

export const Strategy = Type.Object(
  {
    id: Type.Optional(Text),
    ...strategyFields,
    sortOrder: Type.Optional(
      Type.Integer({
        ...SortOrder,
        description: 'As in responses; the order is that of the list.',
      }),
    ),
  },
  strict,
);

export const Dependency = Type.Object(
  {
    feature: Name,
    enabled: Type.Boolean({ default: true }),
    variants: Type.Optional(Type.Array(Text, { maxItems: 100 })),
  },
  strict,
);

export const Tag = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 50, default: 'simple' }),
  value: Type.String({ minLength: 1, maxLength: 100 }),
});

export const Link = Type.Object({
  url: Type.String({
    maxLength: 2_000,
    pattern: '^https?://\\S+$',
    patternDescription:
      'must be an address that starts with https:// or http://',
  }),
  title: Type.Optional(Type.String({ maxLength: 200 })),
});

/** The settings that all environments share. */
export const traits = {
  description: Type.String({ maxLength: 10_000 }),
  type: Type.String({
    minLength: 1,
    maxLength: 64,
    ...urlFriendly,
    description: 'release, experiment, operational, kill-switch, permission …',
  }),
  stale: Type.Boolean(),
  impressionData: Type.Boolean(),
  dependencies: Type.Array(Dependency, { maxItems: FLAG_LIMITS.dependencies }),
  tags: Type.Array(Tag, { maxItems: FLAG_LIMITS.tags }),
};

const settings = {
  ...traits,
  enabled: Type.Boolean(),
  strategies: Type.Array(Strategy, { maxItems: FLAG_LIMITS.strategies }),
  variants: Variants,
};

/** The name and shared settings of a new flag. */
export const newTraits = {
  name: Name,
  description: Type.String({ ...traits.description, default: '' }),
  type: Type.String({ ...traits.type, default: 'release' }),
  stale: Type.Boolean({ default: false }),
  impressionData: Type.Boolean({ default: false }),
  dependencies: Type.Array(Dependency, {
    maxItems: FLAG_LIMITS.dependencies,
    default: [],
  }),
  tags: Type.Array(Tag, { maxItems: FLAG_LIMITS.tags, default: [] }),
};

/** Body of `POST /api/admin/features`. */
export const FlagCreation = Type.Object({
  ...newTraits,
  project: Type.String({ ...Name, default: 'default' }),
  enabled: Type.Boolean({ default: false }),
  strategies: Type.Array(Strategy, {
    maxItems: FLAG_LIMITS.strategies,
    default: [{ name: 'default', parameters: {} }],
  }),
  variants: Type.Array(Variant, { maxItems: 100, default: [] }),
});

/** Body of `PATCH /api/admin/features/{name}`: the fields to change. */
export const FlagUpdate = Type.Partial(Type.Object(settings));

export const Problems = Type.Optional(
  Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
    description: 'Rules that SDKs cannot evaluate as intended.',
  }),
);

/** The fields that every response about a flag has. */
export const flagFacts = {
  name: Type.String(),
  project: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  archived: Type.Boolean(),
};

export const StoredLinks = Type.Array(
  Type.Object({
    id: Type.String(),
    url: Type.String(),
    title: Type.Optional(Type.String()),
  }),
);

/** A flag in a response. */
export const FlagResponse = Type.Object({
  ...flagFacts,
  ...settings,
  dependencies: Type.Optional(settings.dependencies),
  tags: Type.Optional(settings.tags),
  links: Type.Optional(StoredLinks),
  problems: Problems,
});

export const FlagList = Type.Object({
  version: Type.Integer(),
  features: Type.Array(FlagResponse),
});

export const FlagListQuery = Type.Object({
  archived: Type.Boolean({
    default: false,
    description: 'Returns archived flags instead of active ones.',
  }),
});

/** The path of a flag; invalid names are not found. */
export const FlagPath = Type.Object({ featureName: Type.String() });

/** The headers of a change of a flag. */
export const Precondition = preconditionOf('flag');
