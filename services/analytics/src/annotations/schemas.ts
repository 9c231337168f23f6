import { Timestamp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { pageOf } from '../projects/pages.ts';
import { ProjectPath } from '../projects/schemas.ts';

const Content = Type.String({
  minLength: 1,
  maxLength: 400,
  pattern: '\\S',
  patternDescription: 'must not be blank',
});

const DateMarker = Type.Unsafe<string>({
  ...Timestamp,
  description: 'The moment that it is about',
});

/**
 * PostHog also has annotations of single dashboards and insights; here, they always belong
 * to a project.
 */
const Scope = Type.Unsafe<'project'>(
  Type.String({ enum: ['project'], default: 'project' }),
);

const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const AnnotationPath = Type.Object({
  ...ProjectPath.properties,
  id: Id,
});

export const ListQuery = Type.Object({
  after: Type.Optional(Timestamp),
  before: Type.Optional(Timestamp),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
});

export const NewAnnotation = Type.Object({
  content: Content,
  date_marker: Type.Optional(DateMarker),
  scope: Type.Optional(Scope),
});

export const ChangedAnnotation = Type.Object({
  content: Type.Optional(Content),
  date_marker: Type.Optional(DateMarker),
  scope: Type.Optional(Scope),
  deleted: Type.Optional(
    Type.Boolean({ description: 'True deletes it, as in PostHog' }),
  ),
});

const Moment = Type.String({ format: 'date-time' });

export const AnnotationBody = Type.Object({
  id: Id,
  content: Type.String(),
  date_marker: Moment,
  scope: Type.String(),
  creation_type: Type.String(),
  created_by: Type.String(),
  created_at: Moment,
  updated_at: Moment,
  deleted: Type.Boolean(),
  may_change: Type.Boolean(),
});

export const AnnotationList = pageOf(AnnotationBody);
