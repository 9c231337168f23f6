import { type Static, Type } from 'typebox';
import {
  Constraint,
  Dependency,
  Link,
  Name,
  strategyFields,
  Tag,
  traits,
  Variants,
} from '../flags/schemas.ts';
import { Report } from '../transfer/schemas.ts';

const strict = { additionalProperties: false } as const;
const SegmentName = Type.String({ minLength: 1, maxLength: 100 });

const DefinedStrategy = Type.Object(
  {
    ...strategyFields,
    parameters: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.String({ maxLength: 10_000 }), Type.Number()]),
        { maxProperties: 50 },
      ),
    ),
    segments: Type.Optional(
      Type.Array(SegmentName, { maxItems: 50, description: 'By name.' }),
    ),
  },
  strict,
);

const DefinedState = Type.Object(
  {
    enabled: Type.Boolean(),
    strategies: Type.Array(DefinedStrategy, { maxItems: 50 }),
    variants: Type.Optional(Variants),
  },
  strict,
);

const DefinedFlag = Type.Object(
  {
    name: Name,
    project: Type.Optional(Name),
    ...Type.Partial(Type.Object(traits)).properties,
    dependencies: Type.Optional(Type.Array(Dependency, { maxItems: 50 })),
    tags: Type.Optional(Type.Array(Tag, { maxItems: 100 })),
    links: Type.Optional(
      Type.Array(Type.Object(Link.properties, strict), { maxItems: 100 }),
    ),
    environments: Type.Optional(
      Type.Record(Type.String(), DefinedState, {
        maxProperties: 100,
        description: 'The state in each environment; others stay as they are.',
      }),
    ),
  },
  strict,
);

const DefinedSegment = Type.Object(
  {
    name: SegmentName,
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    project: Type.Optional(Name),
    constraints: Type.Array(Constraint, { maxItems: 100 }),
  },
  strict,
);

/** Flags defined in a file; what the file does not name is not changed. */
export const Definitions = Type.Object(
  {
    version: Type.Integer({ minimum: 1, maximum: 1 }),
    segments: Type.Optional(Type.Array(DefinedSegment, { maxItems: 1_000 })),
    flags: Type.Array(DefinedFlag, { maxItems: 5_000 }),
  },
  { ...strict, title: 'Feature flags' },
);
/** The content of a definitions file. */
export type DefinedFlags = Static<typeof Definitions>;

export const DefinitionsQuery = Type.Object({
  project: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only flags of this project.' }),
  ),
});

/** What applying definitions does; changes to protected environments are requested. */
export const DefinitionsReport = Type.Object({
  ...Report.properties,
  requested: Type.Array(
    Type.Object({
      name: Type.String(),
      environment: Type.String(),
      changeRequest: Type.Optional(Type.Integer()),
    }),
    { description: 'Changes that others have to approve.' },
  ),
});
