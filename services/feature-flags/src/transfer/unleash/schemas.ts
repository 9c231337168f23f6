import { type Static, Type } from 'typebox';
import {
  Constraint,
  Dependency,
  Name,
  strategyFields,
  Variants,
} from '../../flags/schemas.ts';

/** Larger exports have to be imported in parts. */
const MOST_FLAGS = 5_000;
const MOST = 50_000;

const understood = { additionalProperties: false } as const;
const Text = Type.String({ maxLength: 10_000 });
const ShortText = Type.String({ maxLength: 200 });
/** A type of a flag or an environment, at most as long as its column. */
const TypeName = Type.String({ maxLength: 64 });
/** A name of an environment or an id of a project, at most as long as their columns. */
const Key = Type.String({ maxLength: 100 });
/** Within the range of an integer column. */
const Order = Type.Integer({
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
});
/** Validated only where it is used. */
const Ignored = Type.Optional(Type.Unknown());
const Id = Type.Optional(
  Type.Union([Type.String({ maxLength: 100 }), Type.Integer()]),
);

/** Exports of old servers contain numbers where SDKs read strings. */
const Parameters = Type.Optional(
  Type.Record(
    Type.String(),
    Type.Union([
      Type.String({ maxLength: 10_000 }),
      Type.Number(),
      Type.Boolean(),
      Type.Null(),
    ]),
    { maxProperties: 50 },
  ),
);

const strategy = {
  title: Type.Optional(ShortText),
  disabled: Type.Optional(Type.Boolean()),
  parameters: Parameters,
  constraints: Type.Optional(Type.Array(Constraint, { maxItems: 50 })),
  segments: Type.Optional(Type.Array(Type.Integer(), { maxItems: 50 })),
  variants: strategyFields.variants,
  sortOrder: Type.Optional(Type.Number()),
  id: Id,
  createdAt: Ignored,
  milestoneId: Ignored,
};

/** A strategy of a flag, in a separate list; unknown fields are rejected. */
const ExportedStrategy = Type.Object(
  {
    ...strategy,
    name: Type.Optional(strategyFields.name),
    strategyName: Type.Optional(strategyFields.name),
    featureName: Name,
    environment: Type.Optional(Key),
    projectId: Ignored,
    projectName: Ignored,
  },
  understood,
);

/** A strategy in an export before version 3: inside its flag. */
const InlineStrategy = Type.Object(
  { ...strategy, name: strategyFields.name },
  understood,
);

const ExportedFeature = Type.Object({
  name: Name,
  description: Type.Optional(Text),
  type: Type.Optional(TypeName),
  project: Type.Optional(Key),
  stale: Type.Optional(Type.Boolean()),
  impressionData: Type.Optional(Type.Boolean()),
  archived: Type.Optional(Type.Boolean()),
  createdAt: Type.Optional(ShortText),
  enabled: Type.Optional(Type.Boolean()),
  strategies: Type.Optional(Type.Array(InlineStrategy, { maxItems: 50 })),
  variants: Type.Optional(Variants),
});

const FeatureState = Type.Object({
  featureName: Name,
  environment: Key,
  enabled: Type.Boolean(),
  variants: Type.Optional(Variants),
});

const ExportedSegment = Type.Object({
  id: Type.Integer(),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.Optional(Text),
  project: Type.Optional(Key),
  constraints: Type.Optional(Type.Array(Constraint, { maxItems: 100 })),
});

const list = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
  Type.Optional(Type.Array(item, { maxItems: MOST }));

/**
 * What Unleash exports: one environment (`/api/admin/features-batch/export`), or the state
 * of a server before version 6 (`/api/admin/state/export`).
 */
export const UnleashExport = Type.Object({
  version: Type.Optional(Type.Integer()),
  features: Type.Array(ExportedFeature, { maxItems: MOST_FLAGS }),
  featureStrategies: list(ExportedStrategy),
  featureEnvironments: list(FeatureState),
  featureStrategySegments: list(
    Type.Object({
      featureStrategyId: Type.String(),
      segmentId: Type.Integer(),
    }),
  ),
  segments: list(ExportedSegment),
  featureTags: list(
    Type.Object({
      featureName: Name,
      tagType: Type.Optional(ShortText),
      tagValue: Type.Optional(ShortText),
      type: Type.Optional(ShortText),
      value: Type.Optional(ShortText),
    }),
  ),
  dependencies: list(
    Type.Object({
      feature: Name,
      dependencies: Type.Array(Dependency, { maxItems: 1_000 }),
    }),
  ),
  links: list(
    Type.Object({
      feature: Name,
      links: Type.Array(
        Type.Object({
          url: Type.String({ maxLength: 2_000 }),
          title: Type.Optional(ShortText),
        }),
        { maxItems: 1_000 },
      ),
    }),
  ),
  contextFields: list(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      description: Type.Optional(Text),
      stickiness: Type.Optional(Type.Boolean()),
      sortOrder: Type.Optional(Order),
      legalValues: Type.Optional(
        Type.Array(
          Type.Object({
            value: Type.String({ minLength: 1, maxLength: 1_000 }),
            description: Type.Optional(Text),
          }),
          { maxItems: 1_000 },
        ),
      ),
    }),
  ),
  environments: list(
    Type.Object({
      name: Key,
      type: Type.Optional(TypeName),
      sortOrder: Type.Optional(Order),
      enabled: Type.Optional(Type.Boolean()),
    }),
  ),
  projects: list(
    Type.Object({
      id: Key,
      name: Type.Optional(ShortText),
      description: Type.Optional(Text),
    }),
  ),
  tagTypes: list(Type.Object({ name: ShortText })),
  strategies: list(
    Type.Object({
      name: strategyFields.name,
      editable: Type.Optional(Type.Boolean()),
      deprecated: Type.Optional(Type.Boolean()),
    }),
  ),
});

/** An export of Unleash, parsed. */
export type Exported = Static<typeof UnleashExport>;
