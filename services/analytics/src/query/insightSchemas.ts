import { type Static, Type } from 'typebox';
import { filtersSchema } from './filterSchemas.ts';

export const Name = Type.String({ maxLength: 400 });
/** Returns the schema of an optional word from a list. */
export const enumOf = <T extends string>(
  values: readonly T[],
  description?: string,
) =>
  Type.Optional(
    Type.Unsafe<T>({ enum: [...values], ...(description && { description }) }),
  );
const flag = (description?: string) =>
  Type.Optional(Type.Boolean(description ? { description } : {}));
/** Returns the schema of an optional integer. */
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
export const MOST_BREAKDOWNS = 3;
/** Maximum number of cohorts of one breakdown, each of which adds queries. */
const MOST_COHORTS = 10;
const BREAKDOWN_TYPES = ['event', 'person', 'group', 'hogql'] as const;

const CohortId = Type.Integer({ minimum: 0 });

export const breakdownFilter = Type.Optional(
  Type.Object(
    {
      breakdown: Type.Optional(
        Type.Unsafe<string | number | (string | number)[]>({
          anyOf: [
            Name,
            CohortId,
            Type.Array(Type.Union([Name, CohortId]), {
              maxItems: MOST_COHORTS,
            }),
          ],
          description:
            'A property, or up to three whose combinations are shown separately; with cohort, ids of cohorts, all for all users, others for those in none of the cohorts',
        }),
      ),
      breakdown_type: enumOf([...BREAKDOWN_TYPES, 'cohort'] as const),
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
    { description: 'The properties or cohorts that are shown separately' },
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
