import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import type { History, HistoryEvent } from '../storage/History.ts';

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

const HistoryAnswer = Type.Object({
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

/** Adds `GET /api/admin/events`: who changed what, and what it was before. */
export function historyRoutes(
  app: ServiceApp,
  { history, access }: { history: History; access: FlagAccess },
): void {
  app.get(
    '/api/admin/events',
    {
      config: { access: access.read },
      schema: {
        tags: ['history'],
        summary: 'List changes, newest first',
        querystring: HistoryQuery,
        response: { 200: HistoryAnswer },
      },
    },
    async ({ query }) => {
      const { featureName: subject, limit, before } = query;
      const events = await history.list({ subject, limit, before });
      return { events: events.map(present) };
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
    createdAt: new Date(createdAt).toISOString(),
    preData: event.before,
    data: event.after,
  };
}
