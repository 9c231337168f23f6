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
const eventsQuery = Type.Object({
  kind: Type.Literal('EventsQuery'),
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
});
export type EventsQuery = Static<typeof eventsQuery>;

/** Body of `POST /api/query`. */
export const QueryRequest = Type.Object({ query: eventsQuery });

export const QueryAnswer = Type.Object({
  columns: Type.Array(Type.String()),
  results: Type.Array(Type.Array(Type.Unknown())),
  types: Type.Array(Type.String({ description: 'ClickHouse type names' })),
  hasMore: Type.Boolean(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});
