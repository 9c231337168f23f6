import { type Static, Type } from 'typebox';
import { filtersSchema } from './filterSchemas.ts';

const Name = Type.String({ maxLength: 400 });
const Texts = (maxItems: number) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems }),
  );
/** An optional word of a list. */
export const enumOf = <T extends string>(
  values: readonly T[],
  description?: string,
) =>
  Type.Optional(
    Type.Unsafe<T>({ enum: [...values], ...(description && { description }) }),
  );
const flag = (description?: string) =>
  Type.Optional(Type.Boolean(description ? { description } : {}));
/** An optional whole number. */
export const count = (minimum: number, maximum: number) =>
  Type.Optional(Type.Integer({ minimum, maximum }));

/** A PostHog field that is not supported: ignoring it would change the result. */
export const Unsupported = Type.Optional(
  Type.Unknown({ description: 'Not supported: 400 unless empty' }),
);
/** How a series of trends is counted, named as in PostHog. */
const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'unique_group',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'p75',
  'p90',
  'p95',
  'p99',
  'hogql',
] as const;

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The number of a group type. */
const GroupIndex = Type.Optional(Type.Integer({ minimum: 0, maximum: 4 }));

export const seriesSchema = Type.Object({
  kind: Type.Unsafe<'EventsNode'>({ enum: ['EventsNode'] }),
  event: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Every event when left out' }),
  ),
  name: Type.Optional(Name),
  custom_name: Type.Optional(Name),
  math: enumOf(MATHS, 'total when left out'),
  math_group_type_index: GroupIndex,
  math_property: Type.Optional(
    Type.String({
      maxLength: 400,
      description:
        'The numeric property that sum, avg, min, max and percentiles aggregate',
    }),
  ),
  math_property_type: enumOf(
    ['event_properties', 'person_properties'] as const,
    'Whose property it is; event_properties when left out',
  ),
  math_hogql: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The aggregate where math is hogql',
    }),
  ),
  math_multiplier: Unsupported,
  math_property_revenue_currency: Unsupported,
  properties: filtersSchema,
  fixedProperties: filtersSchema,
  optionalInFunnel: Unsupported,
});
export type Series = Static<typeof seriesSchema>;

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

export const filterTestAccounts = Type.Optional(
  Type.Boolean({
    description: "Leaves out test accounts, by the project's filters",
  }),
);

export const dateRange = Type.Optional(
  Type.Object(
    {
      date_from: Type.Optional(Type.String({ maxLength: 64 })),
      date_to: Type.Optional(Type.String({ maxLength: 64 })),
      explicitDate: Unsupported,
    },
    { description: 'The last seven days when left out' },
  ),
);

/** Maximum number of properties of one breakdown, as in PostHog. */
const MOST_BREAKDOWNS = 3;
const BREAKDOWN_TYPES = ['event', 'person', 'group', 'hogql'] as const;

export const breakdownFilter = Type.Optional(
  Type.Object(
    {
      breakdown: Type.Optional(
        Type.Unsafe<string | string[]>({
          anyOf: [Name, Type.Array(Name, { maxItems: MOST_BREAKDOWNS })],
          description:
            'A property, or several whose combinations are shown separately',
        }),
      ),
      breakdown_type: enumOf(BREAKDOWN_TYPES),
      breakdown_group_type_index: GroupIndex,
      breakdown_limit: count(1, 100),
      breakdown_hide_other_aggregation: flag(
        'Leaves out the values that are not shown separately',
      ),
      breakdown_normalize_url: flag('Without slashes at the end of addresses'),
      breakdown_histogram_bin_count: Unsupported,
      breakdowns: Type.Optional(
        Type.Array(
          Type.Object({
            property: Name,
            type: enumOf(BREAKDOWN_TYPES),
            group_type_index: GroupIndex,
            histogram_bin_count: Unsupported,
            normalize_url: flag(),
          }),
          {
            maxItems: MOST_BREAKDOWNS,
            description: 'Properties of different owners, instead of breakdown',
          },
        ),
      ),
    },
    { description: 'The properties whose values are shown separately' },
  ),
);

export const compareFilter = Type.Optional(
  Type.Object(
    {
      compare: flag('Also the period before'),
      compare_to: Type.Optional(
        Type.String({
          maxLength: 16,
          description: 'Offset of the comparison period, e.g. -1y or -14d',
        }),
      ),
    },
    {},
  ),
);

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
  }),
);
