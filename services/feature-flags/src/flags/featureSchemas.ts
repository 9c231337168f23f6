import { Type } from 'typebox';
import { FLAG_LIMITS } from './flagLimits.ts';
import {
  flagFacts,
  newTraits,
  Problems,
  SortOrder,
  StoredLinks,
  Strategy,
  strategyFields,
  Tag,
  traits,
  Variants,
} from './schemas.ts';

const strict = { additionalProperties: false } as const;

/** A strategy in a response, with all its fields. */
export const StrategyResponse = Type.Object({
  ...strategyFields,
  id: Type.String(),
  title: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  disabled: Type.Boolean(),
  sortOrder: Type.Integer(),
});

export const StrategyList = Type.Array(StrategyResponse);

const ownFields = {
  id: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'As in responses; a new strategy always gets its own.',
    }),
  ),
  sortOrder: Type.Optional(
    Type.Integer({
      ...SortOrder,
      description: 'Its place in the list, counted from 0.',
    }),
  ),
};

/** A strategy in a request; unknown fields are rejected. */
export const StrategyBody = Type.Object(
  { ...strategyFields, ...ownFields },
  strict,
);

/** The fields of a strategy to change. */
export const StrategyChanges = Type.Partial(
  Type.Object({
    ...strategyFields,
    parameters: Type.Record(Type.String(), Type.String({ maxLength: 10_000 }), {
      maxProperties: 50,
    }),
    ...ownFields,
  }),
  strict,
);

export const StrategyOrder = Type.Array(
  Type.Object({ id: Type.String({ maxLength: 100 }), sortOrder: SortOrder }),
  { maxItems: FLAG_LIMITS.strategies },
);

/** The state of a flag in one environment. */
export const EnvironmentState = Type.Object({
  name: Type.String(),
  type: Type.String(),
  sortOrder: Type.Integer(),
  protected: Type.Boolean(),
  etag: Type.String({ description: 'For the If-Match of a change.' }),
  enabled: Type.Boolean(),
  strategies: StrategyList,
  variants: Variants,
  problems: Problems,
});

/** The parts of the state of a flag to change. */
export const StateChanges = Type.Partial(
  Type.Object({
    enabled: Type.Boolean(),
    strategies: Type.Array(Strategy, { maxItems: FLAG_LIMITS.strategies }),
    variants: Variants,
  }),
);

/** A flag in all environments. */
export const FeatureResponse = Type.Object({
  ...flagFacts,
  ...traits,
  links: StoredLinks,
  environments: Type.Array(EnvironmentState),
});

export const FeatureList = Type.Object({
  version: Type.Integer(),
  features: Type.Array(FeatureResponse),
});

export const FoundFeatures = Type.Object({
  features: Type.Array(FeatureResponse),
  total: Type.Integer(),
});

export const FeatureCreation = Type.Object(newTraits);

export const FeatureChanges = Type.Partial(Type.Object(traits));

export const VariantList = Type.Object({
  version: Type.Integer(),
  variants: Variants,
});

export const TagList = Type.Object({
  version: Type.Integer(),
  tags: Type.Array(Tag),
});

export const TagChanges = Type.Object({
  addedTags: Type.Array(Tag, { maxItems: 100, default: [] }),
  removedTags: Type.Array(Tag, { maxItems: 100, default: [] }),
});

export const ProjectPath = Type.Object({ projectId: Type.String() });

export const FeaturePath = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
});

export const EnvironmentPath = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
  environment: Type.String(),
});

export const StrategyPath = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
  environment: Type.String(),
  strategyId: Type.String(),
});

export const ParentPath = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
  parent: Type.String(),
});

export const LinkPath = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
  linkId: Type.String(),
});

export const TagPath = Type.Object({
  featureName: Type.String(),
  type: Type.String(),
  value: Type.String(),
});
