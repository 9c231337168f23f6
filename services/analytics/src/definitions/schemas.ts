import { Type } from 'typebox';
import { pageOf } from '../projects/pages.ts';
import { ProjectPath } from '../projects/schemas.ts';

export const DefinitionPath = Type.Object({
  ...ProjectPath.properties,
  id: Type.String({ maxLength: 36 }),
});

const ORDERINGS = [
  'name',
  'last_seen_at',
  'created_at',
  'volume_30_day',
] as const;
type Ordering = (typeof ORDERINGS)[number];
const ALL_ORDERINGS = ORDERINGS.flatMap(each => [each, `-${each}` as const]);

const list = {
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the name' }),
  ),
  ordering: Type.Unsafe<Ordering | `-${Ordering}`>(
    Type.String({ enum: [...ALL_ORDERINGS], default: '-volume_30_day' }),
  ),
  exclude_hidden: Type.Boolean({ default: false }),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
};

export const EventsQuery = Type.Object(list);
export const PropertiesQuery = Type.Object({
  ...list,
  type: Type.Unsafe<'event' | 'person'>(
    Type.String({ enum: ['event', 'person'], default: 'event' }),
  ),
});

/** Notes on a definition; omitted fields remain unchanged. */
export const ChangedDefinition = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    owner: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'A team or person; empty for none',
      }),
    ),
    verified: Type.Optional(Type.Boolean()),
    hidden: Type.Optional(
      Type.Boolean({ description: 'Whether forms do not offer it' }),
    ),
  },
  { minProperties: 1 },
);

const Moment = Type.String({ format: 'date-time' });

const common = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  owner: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  verified: Type.Boolean(),
  hidden: Type.Boolean(),
  created_at: Type.String({
    format: 'date-time',
    description: 'When it was first seen',
  }),
  last_seen_at: Moment,
  volume_30_day: Type.Integer({
    description:
      'Events of the last 30 days; of properties an estimate where many events arrive at once',
  }),
  used_by_insights: Type.Integer({
    description: 'Saved insights that name it',
  }),
  updated_at: Type.Optional(Moment),
  updated_by: Type.Optional(Type.String()),
};

export const EventDefinition = Type.Object(common);
export const PropertyDefinition = Type.Object({
  ...common,
  property_type: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: ['Boolean', 'DateTime', 'Numeric', 'String', null],
  }),
  is_numerical: Type.Boolean(),
});

export const EventList = pageOf(EventDefinition);
export const PropertyList = pageOf(PropertyDefinition);
