import { type Static, Type } from 'typebox';
import { filtersSchema } from './filterSchemas.ts';
import {
  count,
  enumOf,
  Name,
  seriesSchema,
  Unsupported,
} from './insightSchemas.ts';

export const trendsFilter = Type.Optional(
  Type.Object({
    display: Type.Optional(Type.String({ maxLength: 64 })),
    formula: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Formula over the series, e.g. A / B * 100',
      }),
    ),
    formulas: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10 }),
    ),
    formulaNodes: Type.Optional(
      Type.Array(
        Type.Object({
          formula: Type.String({ maxLength: 200 }),
          custom_name: Type.Optional(Name),
        }),
        { maxItems: 10 },
      ),
    ),
    smoothingIntervals: count(1, 100),
  }),
);

const exclusionSchema = Type.Object({
  ...seriesSchema.properties,
  funnelFromStep: Type.Integer({ minimum: 0, maximum: 19 }),
  funnelToStep: Type.Integer({ minimum: 0, maximum: 19 }),
});

export const funnelsFilter = Type.Optional(
  Type.Object({
    funnelOrderType: enumOf(['ordered', 'strict', 'unordered'] as const),
    funnelVizType: enumOf(['steps', 'time_to_convert', 'trends'] as const),
    funnelWindowInterval: count(1, 10_000),
    funnelWindowIntervalUnit: enumOf([
      'second',
      'minute',
      'hour',
      'day',
      'week',
      'month',
    ] as const),
    breakdownAttributionType: enumOf([
      'first_touch',
      'last_touch',
      'all_events',
      'step',
    ] as const),
    funnelFromStep: count(0, 19),
    funnelToStep: count(0, 19),
    binCount: count(1, 90),
    exclusions: Type.Optional(
      Type.Array(exclusionSchema, {
        maxItems: 10,
        description:
          'Exclusion events: people with such an event between the two steps are excluded',
      }),
    ),
    funnelAggregateByHogQL: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 2_000,
        description: 'Whose steps are followed, such as properties.$session_id',
      }),
    ),
  }),
);

const entity = Type.Optional(
  Type.Object({
    id: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 1_000,
      }),
    ),
    type: enumOf(['events'] as const),
    properties: filtersSchema,
  }),
);
export type Entity = Static<typeof entity>;

export const retentionFilter = Type.Optional(
  Type.Object({
    period: enumOf(['Hour', 'Day', 'Week', 'Month'] as const),
    totalIntervals: count(1, 100),
    targetEntity: entity,
    returningEntity: entity,
    retentionType: enumOf([
      'retention_recurring',
      'retention_first_time',
    ] as const),
    minimumOccurrences: count(1, 1_000),
    cumulative: Type.Optional(Type.Boolean()),
    timeWindowMode: enumOf(['strict_calendar_dates'] as const),
    retentionCustomBrackets: Unsupported,
    aggregationType: Unsupported,
    aggregationProperty: Unsupported,
  }),
);

export const stickinessFilter = Type.Optional(
  Type.Object({
    stickinessCriteria: Type.Optional(
      Type.Object({
        operator: Type.Unsafe<'gte' | 'lte' | 'exact'>({
          enum: ['gte', 'lte', 'exact'],
        }),
        value: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      }),
    ),
    computedAs: enumOf(['non_cumulative', 'cumulative'] as const),
  }),
);

const Texts = (maxItems: number) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems }),
  );
/** Returns the schema of a place in a path, named as in results. */
const placeOf = (end: 'source' | 'target') =>
  Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: `Of an ActorsQuery: the ${end} in the result`,
    }),
  );

export const pathsFilter = Type.Optional(
  Type.Object({
    includeEventTypes: Type.Optional(
      Type.Array(
        Type.Unsafe<'$pageview' | '$screen' | 'custom_event'>({
          enum: ['$pageview', '$screen', 'custom_event'],
        }),
        { maxItems: 3 },
      ),
    ),
    startPoint: Type.Optional(Type.String({ maxLength: 2_000 })),
    endPoint: Type.Optional(Type.String({ maxLength: 2_000 })),
    edgeLimit: count(1, 1_000),
    stepLimit: count(2, 20),
    excludeEvents: Texts(50),
    pathGroupings: Texts(20),
    minEdgeWeight: count(0, 1_000_000_000),
    maxEdgeWeight: count(0, 1_000_000_000),
    pathReplacements: Unsupported,
    localPathCleaningFilters: Type.Optional(
      Type.Array(
        Type.Object({
          alias: Type.String({ maxLength: 200 }),
          regex: Type.String({ minLength: 1, maxLength: 300 }),
        }),
        {
          maxItems: 20,
          description: 'Replacements in addresses of pages, in this order',
        },
      ),
    ),
    pathsHogQLExpression: Unsupported,
    pathStartKey: placeOf('source'),
    pathEndKey: placeOf('target'),
    pathDropoffKey: Unsupported,
  }),
);
