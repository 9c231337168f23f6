import { Type } from 'typebox';
import { ProjectPath } from '../projects/schemas.ts';
import { savedQuery } from '../query/schemas.ts';

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

export const SavedPath = Type.Object({
  ...ProjectPath.properties,
  id: Type.String({ maxLength: 64 }),
});

export const NewInsight = Type.Object({ name: Name, query: savedQuery });

export const NewDashboard = Type.Object({
  name: Name,
  tiles: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 50,
    description: 'Ids of insights, in their order',
  }),
});

const about = {
  id: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
  created_by: Type.String(),
  updated_at: Type.String({ format: 'date-time' }),
  may_change: Type.Boolean(),
};

export const InsightBody = Type.Object({
  ...about,
  query: Type.Record(Type.String(), Type.Unknown()),
});
export const DashboardBody = Type.Object({
  ...about,
  tiles: Type.Array(Type.String()),
});
