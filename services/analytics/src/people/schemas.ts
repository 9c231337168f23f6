import { Type } from 'typebox';
import { ProjectPath } from '../projects/schemas.ts';
import { LONGEST_KEY, LONGEST_PERSON_ID } from './PersonChange.ts';

const Moment = Type.String({ format: 'date-time' });

export const PersonPath = Type.Object({
  ...ProjectPath.properties,
  distinctId: Type.String({ minLength: 1, maxLength: LONGEST_PERSON_ID }),
});

export const PersonsQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of an id or of the value of a property',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
});

export const PersonBody = Type.Object({
  id: Type.String({ description: 'The id that stands for all ids' }),
  distinct_ids: Type.Array(Type.String()),
  properties: Type.Record(Type.String(), Type.Unknown()),
  is_identified: Type.Boolean(),
  created_at: Moment,
  last_seen_at: Moment,
});

export const PersonCohorts = Type.Object({
  cohorts: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      is_static: Type.Boolean({ description: 'True for a fixed list' }),
    }),
  ),
});

export const PersonList = Type.Object({
  persons: Type.Array(PersonBody),
  has_more: Type.Boolean(),
});

export const Timeline = Type.Object({
  events: Type.Array(
    Type.Object({
      uuid: Type.String(),
      event: Type.String(),
      timestamp: Moment,
      distinct_id: Type.String(),
      properties: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  has_more: Type.Boolean(),
  next: Type.Optional(
    Type.String({ description: 'before of the next page, if there is one' }),
  ),
});

export const TimelineQuery = Type.Object({
  before: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A time, exclusive, or next of another page; default: now',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});

export const GroupPath = Type.Object({
  ...ProjectPath.properties,
  type: Type.String({ minLength: 1, maxLength: LONGEST_KEY }),
  key: Type.String({ minLength: 1, maxLength: LONGEST_KEY }),
});

export const GroupsQuery = Type.Object({
  type: Type.String({
    minLength: 1,
    maxLength: LONGEST_KEY,
    description: 'The name of a group type, such as company',
  }),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of a key or of the value of a property',
    }),
  ),
  limit: PersonsQuery.properties.limit,
  offset: PersonsQuery.properties.offset,
});

export const GroupTypeList = Type.Object({
  group_types: Type.Array(
    Type.Object({
      name: Type.String(),
      index: Type.Integer({
        description: 'Its number in queries: group_0.properties.<name>',
      }),
      groups: Type.Integer({ description: 'How many there are' }),
    }),
  ),
});

export const GroupBody = Type.Object({
  type: Type.String(),
  key: Type.String(),
  properties: Type.Record(Type.String(), Type.Unknown()),
  created_at: Moment,
});

export const GroupList = Type.Object({
  groups: Type.Array(GroupBody),
  has_more: Type.Boolean(),
});

export const ErasureBody = Type.Object({
  id: Type.String(),
  requested_at: Moment,
  requested_by: Type.String(),
  done_at: Type.Optional(Moment),
});

export const ErasureList = Type.Object({ erasures: Type.Array(ErasureBody) });
