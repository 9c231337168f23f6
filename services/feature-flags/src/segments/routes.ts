import { isoOf } from '@slipway/entity-contract';
import { actorOf, preconditionOf, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { constraintProblems } from '../flags/constraintProblems.ts';
import { Constraint, Problems } from '../flags/schemas.ts';
import type { Segment } from '../model/Flag.ts';
import type { FlagAccess } from '../tokens/access.ts';
import { type SegmentAdmin, segmentTag } from './SegmentAdmin.ts';

const settings = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.String({ maxLength: 10_000 }),
  project: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 100,
    description: 'The project it belongs to; null for all projects.',
  }),
  constraints: Type.Array(Constraint, { maxItems: 100 }),
};

const SegmentCreation = Type.Object({
  name: settings.name,
  description: Type.String({ ...settings.description, default: '' }),
  project: Type.Optional(settings.project),
  constraints: settings.constraints,
});

const SegmentChanges = Type.Partial(Type.Object(settings));

const SegmentResponse = Type.Object({
  id: Type.Integer(),
  ...settings,
  createdBy: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  problems: Problems,
});

const SegmentList = Type.Object({
  segments: Type.Array(
    Type.Object({
      ...SegmentResponse.properties,
      etag: Type.String({ description: 'For the If-Match of a change.' }),
    }),
  ),
});

const SegmentPath = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

const SegmentUses = Type.Object({
  strategies: Type.Array(
    Type.Object({
      id: Type.String(),
      projectId: Type.String(),
      featureName: Type.String(),
      strategyName: Type.String(),
      environment: Type.String(),
    }),
  ),
});

const tags = ['segments'];

/** Adds `/api/admin/segments`. */
export function segmentRoutes(
  app: ServiceApp,
  { segments, access }: { segments: SegmentAdmin; access: FlagAccess },
): void {
  const read = { config: { access: access.read } };
  const write = {
    config: { access: access.write, faults: ['conflict'] },
  } as const;

  app.get(
    '/api/admin/segments',
    {
      ...read,
      schema: {
        tags,
        summary: 'List the segments',
        response: { 200: SegmentList },
      },
    },
    async () => ({
      segments: (await segments.list()).map(segment => ({
        ...present(segment),
        etag: segmentTag(segment),
      })),
    }),
  );

  app.post(
    '/api/admin/segments',
    {
      ...write,
      schema: {
        tags,
        summary: 'Create a segment',
        body: SegmentCreation,
        response: { 201: SegmentResponse },
      },
    },
    async ({ body, caller }, reply) => {
      const { name, description, project = null, constraints } = body;
      const created = await segments.create(
        { name, description, project, constraints },
        actorOf(caller),
      );
      reply
        .code(201)
        .header('location', `/api/admin/segments/${created.id}`)
        .header('etag', segmentTag(created));
      return present(created);
    },
  );

  app.get(
    '/api/admin/segments/:id',
    {
      ...read,
      schema: {
        tags,
        summary: 'Get a segment',
        params: SegmentPath,
        response: { 200: SegmentResponse },
      },
    },
    async ({ params }, reply) => {
      const segment = await segments.get(params.id);
      reply.header('etag', segmentTag(segment));
      return present(segment);
    },
  );

  app.get(
    '/api/admin/segments/:id/strategies',
    {
      ...read,
      schema: {
        tags,
        summary: 'List the strategies that use a segment',
        params: SegmentPath,
        response: { 200: SegmentUses },
      },
    },
    async ({ params }) => ({ strategies: await segments.usesOf(params.id) }),
  );

  app.put(
    '/api/admin/segments/:id',
    {
      config: {
        access: access.write,
        faults: ['conflict', 'preconditionFailed'],
      },
      schema: {
        tags,
        summary: 'Change the given fields of a segment',
        params: SegmentPath,
        headers: preconditionOf('segment'),
        body: SegmentChanges,
        response: { 200: SegmentResponse },
      },
    },
    async ({ params, body, caller, headers }, reply) => {
      const { name, description, project, constraints } = body;
      const changes = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(project !== undefined && { project }),
        ...(constraints !== undefined && { constraints }),
      };
      const updated = await segments.update(params.id, changes, {
        by: actorOf(caller),
        ifMatch: headers['if-match'],
      });
      reply.header('etag', segmentTag(updated));
      return present(updated);
    },
  );

  app.delete(
    '/api/admin/segments/:id',
    {
      ...write,
      schema: {
        tags,
        summary: 'Delete a segment that no strategy uses',
        params: SegmentPath,
        response: { 200: SegmentResponse },
      },
    },
    async ({ params, caller }) =>
      present(await segments.remove(params.id, actorOf(caller))),
  );
}

function present(segment: Segment) {
  const { revision: _revision, createdAt, ...rest } = segment;
  const problems = constraintProblems(segment.constraints);
  return {
    ...rest,
    createdAt: isoOf(createdAt),
    ...(problems.length > 0 && { problems }),
  };
}
