import { type Static, Type } from 'typebox';
import { LONGEST_PERSON_ID } from '../people/PersonChange.ts';
import { PersonBody, PersonsQuery } from '../people/schemas.ts';
import { pageOf } from '../projects/pages.ts';
import { ProjectPath } from '../projects/schemas.ts';
import { propertyFilter } from '../query/filterSchemas.ts';
import { queryObject } from '../query/schemas.ts';

/** Maximum cohorts of a project. */
export const MOST_COHORTS = 200;
/** Maximum conditions of a cohort. */
const MOST_CONDITIONS = 20;
/** Maximum people of a fixed list. */
export const MOST_PEOPLE = 10_000;

/** Units of the period in which an event counts. */
const PERIODS = ['day', 'week', 'month'] as const;

const negation = Type.Optional(
  Type.Boolean({ description: 'True for all other users' }),
);

/** People with a property. */
const personCondition = Type.Object({
  ...propertyFilter.properties,
  type: Type.Literal('person'),
  negation,
});

/** People who did something, named as in PostHog. */
const eventCondition = Type.Object({
  type: Type.Literal('behavioral'),
  key: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'The name of an event',
  }),
  value: Type.Unsafe<'performed_event' | 'performed_event_multiple'>({
    enum: ['performed_event', 'performed_event_multiple'],
  }),
  operator: Type.Optional(
    Type.Unsafe<'gte' | 'lte'>({
      enum: ['gte', 'lte'],
      description: 'Of performed_event_multiple; lte includes never',
    }),
  ),
  operator_value: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Of performed_event_multiple: how often',
    }),
  ),
  time_value: Type.Integer({ minimum: 1, maximum: 3_650 }),
  time_interval: Type.Unsafe<(typeof PERIODS)[number]>({ enum: [...PERIODS] }),
  negation,
});

export type PersonCondition = Static<typeof personCondition>;
export type EventCondition = Static<typeof eventCondition>;
export type CohortCondition = PersonCondition | EventCondition;

/** The conditions of a cohort. */
export interface CohortFilters {
  readonly properties: {
    /** `AND` if people meet all conditions, `OR` if any of them. */
    readonly type: 'AND' | 'OR';
    readonly values: readonly CohortCondition[];
  };
}

const condition = Type.Unsafe<CohortCondition>({
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['person', 'behavioral'] } },
  if: { properties: { type: { const: 'behavioral' } } },
  then: eventCondition,
  else: personCondition,
});

const group = <T>(items: object, maxItems = MOST_CONDITIONS) =>
  Type.Unsafe<{ type: 'AND' | 'OR'; values: T[] }>({
    type: 'object',
    required: ['type', 'values'],
    properties: {
      type: { enum: ['AND', 'OR'] },
      values: { type: 'array', minItems: 1, maxItems, items },
    },
  });

const conditions = group<CohortCondition>(condition);

/** Conditions as a client sends them: PostHog puts them into a group within a group. */
const sentFilters = Type.Object(
  {
    properties: Type.Unsafe<{
      type: 'AND' | 'OR';
      values: (CohortCondition | CohortFilters['properties'])[];
    }>(
      group({
        if: { type: 'object', required: ['values'] },
        then: conditions,
        else: condition,
      }),
    ),
  },
  { description: 'What people have or did; none for a fixed list' },
);
export type SentFilters = Static<typeof sentFilters>;

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  patternDescription: 'must not be blank',
});
const Description = Type.Optional(Type.String({ maxLength: 400 }));
const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const CohortPath = Type.Object({ ...ProjectPath.properties, id: Id });

export const ListQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: MOST_COHORTS,
    default: MOST_COHORTS,
  }),
  offset: Type.Integer({ minimum: 0, maximum: MOST_COHORTS, default: 0 }),
});

const distinctIds = (description: string) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: LONGEST_PERSON_ID,
      // Databases cannot store the null character.
      pattern: '^[^\\0]*$',
      patternDescription: 'must not contain U+0000',
    }),
    { minItems: 1, maxItems: MOST_PEOPLE, description },
  );

export const NewCohort = Type.Object({
  name: Name,
  description: Description,
  is_static: Type.Optional(
    Type.Boolean({ description: 'True for a fixed list of people' }),
  ),
  filters: Type.Optional(sentFilters),
  query: Type.Optional(
    Type.Unsafe<Static<typeof queryObject>>({
      ...queryObject,
      description: 'Of a fixed list: an ActorsQuery whose people it has',
    }),
  ),
  distinct_ids: Type.Optional(
    distinctIds('Of a fixed list: ids of its people'),
  ),
});

export const ChangedCohort = Type.Object({
  name: Type.Optional(Name),
  description: Description,
  filters: Type.Optional(sentFilters),
  add_distinct_ids: Type.Optional(
    distinctIds('Of a fixed list: ids of people to add'),
  ),
  remove_distinct_ids: Type.Optional(
    distinctIds('Of a fixed list: any ids of people to remove'),
  ),
});

const Moment = Type.String({ format: 'date-time' });

export const CohortBody = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  is_static: Type.Boolean(),
  filters: Type.Optional(Type.Object({ properties: Type.Unknown() })),
  count: Type.Optional(
    Type.Integer({ description: 'Of a fixed list: the ids in it' }),
  ),
  version: Type.Integer(),
  created_by: Type.String(),
  created_at: Moment,
  updated_at: Moment,
  may_change: Type.Boolean(),
});

export const CohortList = pageOf(CohortBody);

export const PeopleQuery = PersonsQuery;

export const CohortPeople = Type.Object({
  persons: Type.Array(
    Type.Object({
      ...PersonBody.properties,
      created_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      last_seen_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    }),
  ),
  count: Type.Integer({ description: 'The people on all pages' }),
  has_more: Type.Boolean(),
});
