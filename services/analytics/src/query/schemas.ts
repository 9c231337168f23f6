import { type Static, Type } from 'typebox';
import { actorsSource } from './actorSchemas.ts';
import { filtersSchema } from './filterSchemas.ts';
import {
  funnelsFilter,
  pathsFilter,
  retentionFilter,
  stickinessFilter,
  trendsFilter,
} from './insightFilterSchemas.ts';
import {
  breakdownFilter,
  compareFilter,
  count,
  dateRange,
  enumOf,
  filterTestAccounts,
  INTERVALS,
  seriesSchema,
  Unsupported,
} from './insightSchemas.ts';

/** The kinds of queries that can be saved. */
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
export type Kind = (typeof KINDS)[number] | 'ActorsQuery';

const Expressions = (maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems });
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

const fields = {
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
  variables: Type.Optional(
    Type.Record(
      Type.String({ maxLength: 100 }),
      Type.Object({
        code_name: Type.String({ maxLength: 100 }),
        value: Type.Optional(
          Type.Unsafe<string | number | boolean>({
            type: ['string', 'number', 'boolean'],
            maxLength: 2_000,
          }),
        ),
      }),
      { description: 'What {variables.code_name} stands for' },
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
};

/**
 * A query as in PostHog, with the fields of all kinds: each kind reads its own fields, and
 * rejects others that would change its result.
 */
export const savedQuery = Type.Object({
  kind: Type.Unsafe<(typeof KINDS)[number]>({ enum: [...KINDS] }),
  ...fields,
});

/** A query in a request: one that can be saved, or one for the people behind a number. */
export const queryObject = Type.Object({
  kind: Type.Unsafe<Kind>({ enum: [...KINDS, 'ActorsQuery'] }),
  ...fields,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Of an ActorsQuery: part of a name, an email or an id',
    }),
  ),
  source: Type.Optional(actorsSource(savedQuery)),
});
export type Query = Static<typeof queryObject>;
/** Selects the number of an insight whose people an ActorsQuery returns. */
export type ActorsSource = NonNullable<Query['source']>;

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

/** The fields in which any result may report its age. */
const age = {
  is_cached: Type.Optional(Type.Boolean()),
  last_refresh: Type.Optional(Type.String({ format: 'date-time' })),
};

/** The result of a query that returns a table: EventsQuery, HogQLQuery and ActorsQuery. */
export const queryAnswer = Type.Object({
  columns: Type.Array(Type.String()),
  results: Type.Array(Type.Array(Type.Unknown())),
  types: Type.Array(Type.Unknown({ description: 'ClickHouse type names' })),
  hasMore: Type.Boolean(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  hogql: Type.Optional(Type.String()),
  actor_count: Type.Optional(
    Type.Integer({
      description: 'Of an ActorsQuery: the people on all pages',
    }),
  ),
  missing_actors_count: Type.Optional(
    Type.Integer({ description: 'The people of the page without a profile' }),
  ),
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
