import { isoOf } from '@slipway/entity-contract';
import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import { requestPresenter } from '../approval/present.ts';
import { Requested } from '../approval/schemas.ts';
import { startEventStream } from '../client/streamRoutes.ts';
import type { KnownThings } from '../flags/checkRules.ts';
import { FeatureResponse } from '../flags/featureSchemas.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { presentFeature } from '../flags/present.ts';
import type { Environments } from '../registers/registers.ts';
import { authorOf, type FlagAccess } from '../tokens/access.ts';
import type { History, HistoryEvent } from '../storage/History.ts';
import type { ProjectOwners } from '../tokens/ProjectOwners.ts';
import type { ChangeStream } from './ChangeStream.ts';
import { projectBefore, rollBack } from './rollBack.ts';

const Nullable = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const NullableObject = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  additionalProperties: true,
});

const HistoryQuery = Type.Object({
  featureName: Type.Optional(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Returns events older than the one with this id.',
    }),
  ),
});

const EventPath = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

const HistoryResponse = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.Integer(),
      type: Type.String(),
      featureName: Type.String({
        description: 'The name of a flag, or the id of a token.',
      }),
      environment: Nullable,
      createdBy: Type.String(),
      createdAt: Type.String({ format: 'date-time' }),
      preData: NullableObject,
      data: NullableObject,
    }),
  ),
});

/** Adds `/api/admin/events`: the changes with the states before and after, and rolling back one of them. */
export function historyRoutes(
  app: ServiceApp,
  options: {
    history: History;
    flags: FlagAdmin;
    requests: ChangeRequests;
    environments: Environments;
    known: KnownThings;
    stream: ChangeStream;
    owners: ProjectOwners;
    access: FlagAccess;
  },
): void {
  const { history, environments, known, stream, owners, access } = options;
  const presentRequests = requestPresenter(environments);

  app.get(
    '/api/admin/events',
    {
      config: { access: access.read },
      schema: {
        tags: ['history'],
        summary: 'List changes, newest first',
        querystring: HistoryQuery,
        response: { 200: HistoryResponse },
      },
    },
    async ({ query }) => {
      const { featureName: subject, limit, before } = query;
      const events = await history.list({ subject, limit, before });
      return { events: events.map(present) };
    },
  );

  app.get(
    '/api/admin/stream',
    {
      config: { access: access.read },
      schema: {
        tags: ['history'],
        summary:
          'Stream an event for every change of flags, change requests and schedules',
        response: { 200: Type.String({ description: 'text/event-stream' }) },
      },
    },
    async (_request, reply) => {
      stream.assertReady();
      stream.add(startEventStream(reply));
    },
  );
  app.addHook('preClose', async () => stream.close());

  app.post(
    '/api/admin/events/:id/rollback',
    {
      config: { access: access.change, faults: ['conflict'] },
      schema: {
        tags: ['history'],
        summary: 'Roll back one change of a flag and keep later ones',
        params: EventPath,
        response: { 200: FeatureResponse, 202: Requested },
      },
    },
    async ({ params, caller }, reply) => {
      const event = await history.find(params.id);
      await owners.assertOwnsFlag(caller, event?.subject ?? '');
      const project = event && projectBefore(event);
      if (project !== undefined) {
        await owners.assertMayMoveTo(caller, project);
      }
      const { flag, request } = await rollBack(
        params.id,
        authorOf(caller),
        options,
      );
      if (request) {
        const [changeRequest] = await presentRequests([request], caller);
        return reply.code(202).send({ changeRequest });
      }
      return presentFeature(flag, await environments.list(), known);
    },
  );
}

function present(event: HistoryEvent) {
  const { id, type, subject, environment, createdBy, createdAt } = event;
  return {
    id,
    type,
    featureName: subject,
    environment,
    createdBy,
    createdAt: isoOf(createdAt),
    preData: event.before,
    data: event.after,
  };
}
