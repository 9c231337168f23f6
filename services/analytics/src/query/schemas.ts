import { type Static, Type } from 'typebox';
import { filtersSchema } from './filterSchemas.ts';

/** The supported kinds of queries. */
const KINDS = [
  'EventsQuery',
  'FunnelsQuery',
  'HogQLQuery',
  'LifecycleQuery',
  'PathsQuery',
  'RetentionQuery',
  'StickinessQuery',
  'TrendsQuery',
  'WebOverviewQuery',
] as const;
export type Kind = (typeof KINDS)[number];

const Expressions = (maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems });
const Name = Type.String({ maxLength: 400 });
const enumOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Optional(
    Type.Unsafe<T>({ enum: [...values], ...(description && { description }) }),
  );
const flag = (description?: string) =>
  Type.Optional(Type.Boolean(description ? { description } : {}));
const count = (minimum: number, maximum: number) =>
  Type.Optional(Type.Integer({ minimum, maximum }));

/** A PostHog field that is not supported: ignoring it would change the result. */
const Unsupported = Type.Optional(
  Type.Unknown({ description: 'Not supported: 400 unless empty' }),
);
/** The fields that no kind of query supports. */
export const UNSUPPORTED = [
  'actionId',
  'actionSteps',
  'conversionGoal',
  'funnelPathsFilter',
  'personId',
  'samplingFactor',
  'source',
] as const;

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

const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The number of a group type. */
const GroupIndex = Type.Optional(Type.Integer({ minimum: 0, maximum: 4 }));

const seriesSchema = Type.Object({
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
      description: 'The number that sum, avg, min, max and percentiles are of',
    }),
  ),
  math_hogql: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The aggregate where math is hogql',
    }),
  ),
  properties: filtersSchema,
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

const filterTestAccounts = Type.Optional(
  Type.Boolean({
    description: "Leaves out test accounts, by the project's filters",
  }),
);

const dateRange = Type.Optional(
  Type.Object(
    {
      date_from: Type.Optional(Type.String({ maxLength: 64 })),
      date_to: Type.Optional(Type.String({ maxLength: 64 })),
    },
    { description: 'The last seven days when left out' },
  ),
);

const breakdownFilter = Type.Optional(
  Type.Object(
    {
      breakdown: Type.Optional(Name),
      breakdown_type: enumOf(['event', 'person', 'group', 'hogql'] as const),
      breakdown_group_type_index: GroupIndex,
      breakdown_limit: count(1, 100),
      breakdowns: Unsupported,
    },
    { description: 'A property whose values are apart' },
  ),
);

const compareFilter = Type.Optional(
  Type.Object(
    {
      compare: flag('Also the period before'),
      compare_to: Type.Optional(
        Type.String({
          maxLength: 16,
          description: 'How long before, as -1y or -14d',
        }),
      ),
    },
    {},
  ),
);

const trendsFilter = Type.Optional(
  Type.Object({
    display: Type.Optional(Type.String({ maxLength: 64 })),
    formula: Type.Optional(
      Type.String({ maxLength: 200, description: 'As A / B * 100' }),
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

const funnelsFilter = Type.Optional(
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
    exclusions: Unsupported,
    funnelAggregateByHogQL: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 2_000,
        description: 'Whose steps are followed, such as properties.$session_id',
      }),
    ),
  }),
);

const retentionFilter = Type.Optional(
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
  }),
);

const stickinessFilter = Type.Optional(
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

const pathsFilter = Type.Optional(
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
    excludeEvents: Type.Optional(Expressions(50)),
    pathGroupings: Type.Optional(Expressions(20)),
    minEdgeWeight: count(0, 1_000_000_000),
    maxEdgeWeight: count(0, 1_000_000_000),
    pathReplacements: Unsupported,
    localPathCleaningFilters: Unsupported,
    pathsHogQLExpression: Unsupported,
  }),
);

/**
 * A query as in PostHog, with the fields of all kinds: each kind reads its own, and
 * rejects those that would change its result.
 */
export const queryObject = Type.Object({
  kind: Type.Unsafe<Kind>({ enum: [...KINDS] }),
  // EventsQuery
  select: Type.Optional(
    Type.Unsafe<string[]>({
      ...Expressions(50),
      description:
        'HogQL expressions, each with an optional `as name` or `-- label`',
    }),
  ),
  event: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Empty for all events' }),
  ),
  events: Type.Optional(
    Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Exclusive; default: 24 hours ago; `all` for no bound',
    }),
  ),
  before: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Exclusive; default: now; a date includes its day',
    }),
  ),
  where: Type.Optional(Expressions(50)),
  fixedProperties: filtersSchema,
  orderBy: Type.Optional(Expressions(20)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50_000 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  // HogQLQuery
  query: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: 'Of a HogQLQuery: SELECT … FROM events …',
    }),
  ),
  values: Type.Optional(
    Type.Record(
      Type.String({ maxLength: 100 }),
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        maxLength: 2_000,
      }),
      { description: 'What {name} in a HogQLQuery stands for' },
    ),
  ),
  filters: Type.Optional(
    Type.Object(
      { properties: filtersSchema, dateRange, filterTestAccounts },
      { description: 'What {filters} in a HogQLQuery stands for' },
    ),
  ),
  filterTestAccounts,
  // Insights
  properties: filtersSchema,
  series: Type.Optional(
    Type.Array(seriesSchema, {
      minItems: 1,
      maxItems: 20,
      description: 'Of insights: what is counted, or the steps of a funnel',
    }),
  ),
  aggregation_group_type_index: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 4,
      description: 'Follows the groups of a type instead of people',
    }),
  ),
  interval: enumOf(INTERVALS, 'Of insights; day when left out'),
  intervalCount: count(1, 1),
  dateRange,
  breakdownFilter,
  compareFilter,
  trendsFilter,
  funnelsFilter,
  retentionFilter,
  stickinessFilter,
  pathsFilter,
  ...(Object.fromEntries(
    UNSUPPORTED.map(name => [name, Unsupported]),
  ) as Record<(typeof UNSUPPORTED)[number], typeof Unsupported>),
});
export type Query = Static<typeof queryObject>;

/** Body of `POST /api/query`. */
export const QueryRequest = Type.Object({
  query: queryObject,
  refresh: Type.Optional(
    Type.Unknown({
      description:
        "PostHog's modes; `lazy_async`, `async` and `force_cache` also take a result of the last five minutes",
    }),
  ),
});

/** What every result may say about its age. */
const age = {
  is_cached: Type.Optional(Type.Boolean()),
  last_refresh: Type.Optional(Type.String({ format: 'date-time' })),
};

/** The result of an EventsQuery or HogQLQuery. */
export const queryAnswer = Type.Object({
  columns: Type.Array(Type.String()),
  results: Type.Array(Type.Array(Type.Unknown())),
  types: Type.Array(Type.Unknown({ description: 'ClickHouse type names' })),
  hasMore: Type.Boolean(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  hogql: Type.Optional(Type.String()),
  ...age,
});
export type QueryAnswer = Static<typeof queryAnswer>;

/** The result of an insight, in PostHog's shapes. */
export const insightAnswer = Type.Object({
  results: Type.Array(Type.Unknown()),
  hasMore: Type.Optional(
    Type.Boolean({
      description:
        'Whether values of a breakdown are combined as others, or edges of paths are left out',
    }),
  ),
  ...age,
});
export type InsightAnswer = Static<typeof insightAnswer>;
