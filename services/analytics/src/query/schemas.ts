import { type Static, Type } from 'typebox';

const Expressions = (maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems });

const FilterValue = Type.Union([
  Type.String({ maxLength: 2_000 }),
  Type.Number(),
  Type.Boolean(),
]);

/** How a property is tested, in PostHog's words. */
const FILTER_OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'is_not_set',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A filter as PostHog has it; without an `operator` it is `exact`. */
const propertyFilter = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 1_000 }),
  value: Type.Optional(
    Type.Unsafe<FilterValueType | FilterValueType[]>({
      anyOf: [
        FilterValue,
        Type.Array(FilterValue, { minItems: 1, maxItems: 1_000 }),
      ],
      description: 'One value, or several of which one must match',
    }),
  ),
  operator: Type.Optional(
    Type.Unsafe<FilterOperator>({ enum: [...FILTER_OPERATORS] }),
  ),
  type: Type.Optional(Type.Unsafe<'event'>({ enum: ['event'] })),
});
type FilterValueType = Static<typeof FilterValue>;
export type PropertyFilter = Static<typeof propertyFilter>;

const Filters = Type.Optional(
  Type.Array(propertyFilter, {
    maxItems: 50,
    description: 'Property filters; an event must match all of them',
  }),
);

/** A field of PostHog's query without a meaning here: ignored, it would change the answer. */
const Unsupported = Type.Optional(
  Type.Unknown({ description: 'Not supported: 400 unless empty' }),
);
/** The names of the fields that {@link eventsQuery} refuses. */
export const UNSUPPORTED = [
  'actionId',
  'actionSteps',
  'breakdownFilter',
  'dateRange',
  'filterTestAccounts',
  'personId',
  'samplingFactor',
  'source',
] as const;

/** PostHog's query of events, as far as it can be answered; field names are PostHog's. */
const eventsFields = {
  select: Type.Optional(
    Type.Unsafe<string[]>({
      ...Expressions(50),
      description:
        "`*`, event, timestamp, distinct_id, uuid, created_at, properties, properties.x, properties['a b'], toDate(timestamp), toStartOfHour, toStartOfDay, toStartOfWeek, toStartOfMonth, count(), count(distinct x), uniq(x), sum, avg, min, max; each with an optional `as name` or `-- label`",
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
  properties: Filters,
  fixedProperties: Filters,
  orderBy: Type.Optional(Expressions(20)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50_000 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  ...(Object.fromEntries(
    UNSUPPORTED.map(name => [name, Unsupported]),
  ) as Record<(typeof UNSUPPORTED)[number], typeof Unsupported>),
};
export type EventsQuery = Static<typeof eventsQuery>;
const eventsQuery = Type.Object({
  kind: Type.Literal('EventsQuery'),
  ...eventsFields,
});

/** How a series of trends is counted, in PostHog's words. */
const TREND_MATHS = [
  'total',
  'dau',
  'unique_session',
  'sum',
  'avg',
  'min',
  'max',
] as const;
const INTERVALS = ['hour', 'day', 'week', 'month'] as const;

const trendSeries = Type.Object({
  kind: Type.Unsafe<'EventsNode'>({ enum: ['EventsNode'] }),
  event: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Every event when left out' }),
  ),
  name: Type.Optional(Type.String({ maxLength: 400 })),
  custom_name: Type.Optional(Type.String({ maxLength: 400 })),
  math: Type.Optional(
    Type.Unsafe<(typeof TREND_MATHS)[number]>({ enum: [...TREND_MATHS] }),
  ),
  math_property: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'The number that sum, avg, min and max are of',
    }),
  ),
  properties: Filters,
});
export type TrendSeries = Static<typeof trendSeries>;

const trendsFields = {
  series: Type.Optional(
    Type.Array(trendSeries, {
      minItems: 1,
      maxItems: 10,
      description: 'Of a TrendsQuery: what is counted',
    }),
  ),
  interval: Type.Optional(
    Type.Unsafe<(typeof INTERVALS)[number]>({
      enum: [...INTERVALS],
      description: 'Of a TrendsQuery; day when left out',
    }),
  ),
  dateRange: Type.Optional(
    Type.Object(
      {
        date_from: Type.Optional(Type.String({ maxLength: 64 })),
        date_to: Type.Optional(Type.String({ maxLength: 64 })),
      },
      { description: 'Of a TrendsQuery; the last seven days when left out' },
    ),
  ),
  breakdownFilter: Type.Optional(
    Type.Object(
      {
        breakdown: Type.Optional(Type.String({ maxLength: 400 })),
        breakdown_type: Type.Optional(
          Type.Unsafe<'event'>({ enum: ['event'] }),
        ),
        breakdown_limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100 }),
        ),
        breakdowns: Unsupported,
      },
      { description: 'Of a TrendsQuery: a property whose values are apart' },
    ),
  ),
  compareFilter: Type.Optional(
    Type.Object(
      { compare: Type.Optional(Type.Boolean()), compare_to: Unsupported },
      { description: 'Of a TrendsQuery: the period before beside this one' },
    ),
  ),
  trendsFilter: Type.Optional(
    Type.Object({
      display: Type.Optional(Type.String({ maxLength: 64 })),
      formula: Unsupported,
      formulas: Unsupported,
      formulaNodes: Unsupported,
    }),
  ),
};

/** PostHog's query of trends, as far as it can be answered; field names are PostHog's. */
export type TrendsQuery = Static<typeof trendsQuery>;
const trendsQuery = Type.Object({
  kind: Type.Literal('TrendsQuery'),
  ...eventsFields,
  ...trendsFields,
});

/** The kinds of queries that are answered. */
const KINDS = ['EventsQuery', 'TrendsQuery'] as const;

/** Body of `POST /api/query`: the fields of all kinds, each of which reads its own. */
export const QueryRequest = Type.Object({
  query: Type.Object({
    kind: Type.Unsafe<(typeof KINDS)[number]>({ enum: [...KINDS] }),
    ...eventsFields,
    ...trendsFields,
  }),
});

/** One line of trends; further fields are those of PostHog's shape. */
export const TrendsAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      label: Type.String(),
      count: Type.Number({ description: 'The sum of data' }),
      data: Type.Array(Type.Number()),
      days: Type.Array(Type.String()),
      labels: Type.Array(Type.String()),
      action: Type.Object({
        id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        type: Type.String(),
        order: Type.Integer(),
        name: Type.String(),
        custom_name: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        math: Type.String(),
        math_property: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      }),
      breakdown_value: Type.Optional(Type.String()),
      compare: Type.Optional(Type.Boolean()),
      compare_label: Type.Optional(Type.String()),
    }),
  ),
  hasMore: Type.Boolean({ description: 'Whether values were put together' }),
});

/** What a question about events is answered with. */
export const QueryAnswer = Type.Object({
  columns: Type.Array(Type.String()),
  results: Type.Array(Type.Array(Type.Unknown())),
  types: Type.Array(Type.String({ description: 'ClickHouse type names' })),
  hasMore: Type.Boolean(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});
